// SPDX-License-Identifier: Apache-2.0

package io.leaf.hibernate;

import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.util.Properties;

import io.leaf.IdGenerationException;
import io.leaf.LeafId;
import io.leaf.support.ExistingIds;
import io.leaf.support.LeafIdType;
import org.hibernate.MappingException;
import org.hibernate.Version;
import org.hibernate.boot.model.naming.Identifier;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.generator.AnnotationBasedGenerator;
import org.hibernate.generator.EventType;
import org.hibernate.generator.GeneratorCreationContext;
import org.hibernate.id.IdentifierGenerator;
import org.hibernate.id.PersistentIdentifierGenerator;
import org.hibernate.mapping.Component;
import org.hibernate.mapping.Property;
import org.hibernate.metamodel.mapping.AttributeMapping;
import org.hibernate.metamodel.mapping.BasicEntityIdentifierMapping;
import org.hibernate.metamodel.mapping.CompositeIdentifierMapping;
import org.hibernate.metamodel.mapping.EmbeddableValuedModelPart;
import org.hibernate.metamodel.mapping.EntityIdentifierMapping;
import org.hibernate.metamodel.mapping.EntityMappingType;
import org.hibernate.metamodel.mapping.ModelPart;
import org.hibernate.metamodel.mapping.PropertyBasedMapping;
import org.hibernate.metamodel.mapping.SelectableMapping;
import org.hibernate.persister.entity.AbstractEntityPersister;
import org.hibernate.persister.entity.EntityPersister;
import org.hibernate.property.access.spi.PropertyAccess;
import org.hibernate.service.ServiceRegistry;
import org.hibernate.type.Type;
import org.jspecify.annotations.Nullable;

/**
 * The Hibernate identifier generator behind {@link LeafId}. It works with Hibernate 6.6
 * and 7. It can also be used through {@code @GenericGenerator}. The parameter
 * {@value #KEY} of that annotation sets the key.
 * <p>
 * The {@link io.leaf.IdGenerator} bean is looked up when the first ID is requested, so
 * building the {@code EntityManagerFactory} neither requires nor creates the bean. If the
 * bean cannot be found, the request throws an {@link IdGenerationException}.
 * <p>
 * Hibernate creates the instances. It may create several for one entity, and never use
 * some of them. Once configured, the instances are safe for use by any number of threads.
 */
public class LeafIdentifierGenerator implements IdentifierGenerator, AnnotationBasedGenerator<LeafId> {

	/**
	 * The name of the {@code @GenericGenerator} parameter that sets the key.
	 */
	public static final String KEY = "key";

	/**
	 * Whether the application uses Hibernate 6, which cannot generate a part of a
	 * composite ID.
	 */
	static final boolean HIBERNATE_6 = Version.getVersionString().startsWith("6.");

	private static final long serialVersionUID = 1L;

	/**
	 * Until the generator is configured, this field holds only the key of the annotation.
	 */
	private IssuedValues values = new IssuedValues("", LeafIdType.WRAPPER);

	private @Nullable String propertyName;

	/**
	 * The type of the annotated attribute; {@code null} if there is no annotation.
	 */
	private @Nullable Class<?> declaredType;

	/**
	 * Creates a generator, which Hibernate then initializes and configures.
	 */
	public LeafIdentifierGenerator() {
	}

	/**
	 * Takes the key from the annotation. Called before {@code configure}.
	 * @param annotation the annotation on the entity's ID
	 * @param member the annotated field or getter
	 * @param context Hibernate's metadata of the entity
	 */
	@Override
	@SuppressWarnings("removal") // the only overload that all versions call
	public void initialize(LeafId annotation, @Nullable Member member, GeneratorCreationContext context) {
		this.values = new IssuedValues(annotation.value(), LeafIdType.WRAPPER);
		this.propertyName = propertyName(context);
		if (context.getProperty() == null && member != null && HIBERNATE_6) {
			throw partOfCompositeId(member.getDeclaringClass().getName() + "." + member.getName());
		}
		if (member instanceof Field field) {
			this.declaredType = field.getType();
		}
		else if (member instanceof Method getter) {
			this.declaredType = getter.getReturnType();
		}
	}

	/**
	 * Takes the key from the annotation. Called by Hibernate 7. Overridden to refuse the
	 * annotation on a whole {@code @EmbeddedId}. In this case, the context has no member,
	 * and the default implementation would fail with a NullPointerException.
	 * @param annotation the annotation on the entity's ID
	 * @param context Hibernate's metadata of the entity
	 * @throws MappingException if the annotation is on a whole {@code @EmbeddedId}
	 */
	@Override
	public void initialize(LeafId annotation, GeneratorCreationContext context) {
		if (context.getValue() instanceof Component) {
			throw severalAttributes(context.getRootClass().getEntityName() + "." + propertyName(context));
		}
		AnnotationBasedGenerator.super.initialize(annotation, context);
	}

	/**
	 * Determines the key and the type of the IDs. Called by Hibernate 7.
	 * @param context Hibernate's metadata of the entity
	 * @param parameters the parameters of {@code @GenericGenerator}, if it is used, and
	 * parameters that Hibernate adds
	 * @throws MappingException if the type of the entity's ID is not supported
	 */
	@Override
	public void configure(GeneratorCreationContext context, Properties parameters) {
		this.propertyName = propertyName(context);
		configure(context.getType(), parameters);
	}

	/**
	 * Determines the key and the type of the IDs. Called by Hibernate 6.6.
	 * @param type the type of the entity's ID
	 * @param parameters the parameters of {@code @GenericGenerator}, if it is used, and
	 * parameters that Hibernate adds
	 * @param serviceRegistry not used
	 * @throws MappingException if the type of the entity's ID is not supported
	 */
	@Override
	@SuppressWarnings("removal") // the only overload that Hibernate 6.6 has
	public void configure(Type type, Properties parameters, ServiceRegistry serviceRegistry) {
		configure(type, parameters);
	}

	private void configure(Type type, Properties parameters) {
		String key = this.values.key();
		if (key.isEmpty()) {
			key = parameters.getProperty(KEY, "");
		}
		if (key.isEmpty()) {
			// the name of the table may be quoted, depending on the dialect. The key must
			// not depend on the dialect, so it is the name without quotes
			key = Identifier.toIdentifier(parameters.getProperty(PersistentIdentifierGenerator.TABLE)).getText();
		}
		if (type.isComponentType()) {
			String name = qualifiedPropertyName(parameters);
			throw HIBERNATE_6 ? partOfCompositeId(name) : severalAttributes(name);
		}
		Class<?> returned = type.getReturnedClass();
		LeafIdType idType = LeafIdType.of(returned)
			.orElseThrow(() -> mistake(LeafIdType.unsupported("id", qualifiedPropertyName(parameters), returned)));
		this.values = new IssuedValues(key, idType);
	}

	private static MappingException severalAttributes(String property) {
		return mistake("The id " + property + " has several attributes, but @LeafId issues one number. Put @LeafId on "
				+ "the attribute that holds the number");
	}

	private static MappingException partOfCompositeId(String property) {
		return mistake("The id " + property + " is part of a composite ID, for which Hibernate 6 calls no "
				+ "generator. Use Hibernate 7 (Spring Boot 4), or remove @LeafId and set the ID before you save the entity");
	}

	/**
	 * Returns Hibernate's exception for an entity that is mapped incorrectly. Its cause
	 * is an {@link IdGenerationException}, so that Leaf's failure analyzer can explain
	 * the mistake at startup.
	 */
	static MappingException mistake(String message) {
		return new MappingException(message, new IdGenerationException(message));
	}

	private static @Nullable String propertyName(GeneratorCreationContext context) {
		// there is no property for a @CollectionId and, in Hibernate 6, for a part of a
		// composite ID
		@Nullable Property property = context.getProperty();
		return (property != null) ? property.getName() : null;
	}

	private String qualifiedPropertyName(Properties parameters) {
		String entityName = parameters.getProperty(ENTITY_NAME, "");
		return (this.propertyName != null) ? entityName + "." + this.propertyName : "of " + entityName;
	}

	/**
	 * Returns true, because an ID that is already set is kept.
	 * @return true
	 */
	@Override
	public boolean allowAssignedIdentifiers() {
		return true;
	}

	/**
	 * Returns the ID that the entity already has or, if it has none, the next ID of the
	 * key. In an attribute of type {@code long}, zero means that no ID is set.
	 * @param session the session that persists the entity
	 * @param owner the entity
	 * @param currentValue the entity's ID, or {@code null} if the entity has none
	 * @param eventType always an insert
	 * @return the ID, of the type of the entity's attribute
	 * @throws IdGenerationException if no ID can be issued at the moment
	 */
	@Override
	public Object generate(SharedSessionContractImplementor session, Object owner, @Nullable Object currentValue,
			EventType eventType) {
		if (currentValue == null || isUnset(session.getEntityPersister(null, owner), currentValue)) {
			return generate(session, owner);
		}
		return currentValue;
	}

	/**
	 * Returns the next ID of the key.
	 * @param session the session that persists the entity
	 * @param owner the entity
	 * @return the ID, of the type of the entity's attribute
	 * @throws IdGenerationException if no ID can be issued at the moment
	 */
	@Override
	public Object generate(SharedSessionContractImplementor session, Object owner) {
		return this.values.next(session, () -> existingIds(session, owner));
	}

	private ExistingIds existingIds(SharedSessionContractImplementor session, Object owner) {
		// the IDs of all entities of the hierarchy are in the table of the root entity.
		// With TABLE_PER_CLASS, they are in several tables, and getTableName() of the
		// root entity returns a query over these tables
		EntityMappingType root = session.getEntityPersister(null, owner).getRootEntityDescriptor();
		ModelPart id = root.getIdentifierMapping();
		if (id instanceof EmbeddableValuedModelPart composite && this.propertyName != null) {
			id = composite.findSubPart(this.propertyName, root);
		}
		if (!(id instanceof SelectableMapping column) || !(root instanceof AbstractEntityPersister persister)) {
			throw new ExistingIds(key(), root.getEntityName(), "id", this.values.type())
				.unreadable(new MappingException("Leaf cannot find the column of the ID"));
		}
		return new ExistingIds(key(), persister.getTableName(), column.getSelectionExpression(), this.values.type());
	}

	/**
	 * Returns the key.
	 * @return the key of the IDs
	 */
	String key() {
		return this.values.key();
	}

	/**
	 * Returns whether an ID has to be issued. In an attribute of type {@code long}, zero
	 * means that no ID is set. In an attribute of type {@code Long}, zero is an ID.
	 * Hibernate maps both to the same type, so the Java type of the attribute decides. If
	 * the Java type is unknown, zero means that no ID is set.
	 */
	boolean isUnset(EntityPersister persister, @Nullable Object value) {
		if (!(value instanceof Long number) || number != 0) {
			return value == null;
		}
		if (this.declaredType == long.class) {
			return true;
		}
		EntityIdentifierMapping mapping = persister.getIdentifierMapping();
		if (mapping instanceof BasicEntityIdentifierMapping basic) {
			return isPrimitive(basic.getPropertyAccess());
		}
		// the attribute of the @IdClass decides whether zero is an ID, because it may be
		// primitive although the entity's attribute of the same name is not. If the
		// @IdClass has no attribute of that name, the type of the annotated attribute
		// decides. If no attribute is annotated, zero means that no ID is set
		@Nullable AttributeMapping part = (this.propertyName != null && mapping instanceof CompositeIdentifierMapping composite)
				? composite.getMappedIdEmbeddableTypeDescriptor().findAttributeMapping(this.propertyName) : null;
		return (part != null) ? isPrimitive(part.getPropertyAccess()) : this.declaredType == null;
	}

	private static boolean isPrimitive(PropertyAccess access) {
		return access.getGetter().getReturnTypeClass() == long.class;
	}

}
