// SPDX-License-Identifier: Apache-2.0

package io.leaf.hibernate;

import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.util.EnumSet;

import io.leaf.IdGenerationException;
import io.leaf.LeafId;
import io.leaf.support.ExistingIds;
import io.leaf.support.LeafIdType;
import jakarta.persistence.Id;
import org.hibernate.boot.model.relational.Database;
import org.hibernate.boot.model.relational.internal.SqlStringGenerationContextImpl;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.generator.AnnotationBasedGenerator;
import org.hibernate.generator.BeforeExecutionGenerator;
import org.hibernate.generator.EventType;
import org.hibernate.generator.EventTypeSets;
import org.hibernate.generator.GeneratorCreationContext;
import org.hibernate.mapping.Column;
import org.hibernate.mapping.Component;
import org.hibernate.mapping.PersistentClass;
import org.hibernate.mapping.Property;
import org.hibernate.persister.entity.EntityPersister;
import org.hibernate.persister.entity.UnionSubclassEntityPersister;
import org.jspecify.annotations.Nullable;

/**
 * The Hibernate value generator behind {@link LeafId} on an attribute that is not the ID.
 * It works with Hibernate 6.6 and 7. The IDs of entities come from
 * {@link LeafIdentifierGenerator}.
 * <p>
 * Each instance serves one attribute of an entity. Once initialized, instances are safe
 * for use by any number of threads.
 */
public final class LeafAttributeGenerator implements BeforeExecutionGenerator, AnnotationBasedGenerator<LeafId> {

	private static final long serialVersionUID = 1L;

	/**
	 * Issues the values; {@code null} if the attribute is an ID or a part of an ID.
	 */
	private @Nullable IssuedValues values;

	/**
	 * The name of the entity that declares the attribute; {@code null} if the attribute
	 * is in an embeddable that also has attributes with generators other than Leaf's.
	 */
	private @Nullable String entityName;

	private String table = "";

	private String column = "";

	/**
	 * Creates a generator, which must be initialized before use.
	 */
	public LeafAttributeGenerator() {
	}

	/**
	 * Takes the key from the annotation. Called by Hibernate 7. Overridden to refuse the
	 * annotation on an embedded attribute. In this case, the context has no member, and
	 * the default implementation would fail with a NullPointerException.
	 * @param annotation the annotation on the attribute
	 * @param context Hibernate's metadata of the attribute
	 * @throws org.hibernate.MappingException if the annotation names no key, or if the
	 * type of the attribute is not supported
	 */
	@Override
	public void initialize(LeafId annotation, GeneratorCreationContext context) {
		if (context.getValue() instanceof Component) {
			initialize(annotation, null, context);
		}
		else {
			AnnotationBasedGenerator.super.initialize(annotation, context);
		}
	}

	/**
	 * Takes the key from the annotation. Does nothing if the attribute is annotated with
	 * {@link Id}.
	 * @param annotation the annotation on the attribute
	 * @param member the annotated field or getter
	 * @param context Hibernate's metadata of the attribute
	 * @throws org.hibernate.MappingException if the annotation names no key, or if the
	 * type of the attribute is not supported
	 */
	@Override
	@SuppressWarnings("removal") // the only overload that all versions call
	public void initialize(LeafId annotation, @Nullable Member member, GeneratorCreationContext context) {
		if (!(member instanceof AnnotatedElement element && element.isAnnotationPresent(Id.class))) {
			initialize(annotation, member, context.getProperty(), context);
		}
	}

	/**
	 * Takes the key from the annotation, and the type and the column from the attribute.
	 * @param annotation the annotation on the attribute
	 * @param member the annotated field or getter
	 * @param property the attribute
	 * @param context Hibernate's metadata of the attribute, or of the embedded attribute
	 * that contains it
	 */
	void initialize(LeafId annotation, @Nullable Member member, Property property, GeneratorCreationContext context) {
		PersistentClass entity = context.getPersistentClass();
		this.entityName = (entity != null) ? entity.getEntityName() : null;
		String name = (member != null) ? member.getDeclaringClass().getName() + "." + member.getName()
				: this.entityName + "." + property.getName();
		// only the field or getter shows whether the type is primitive; if the declared
		// type is a type variable, only Hibernate's metadata shows the actual type
		Class<?> type = isPrimitive(member) ? long.class : property.getType().getReturnedClass();
		LeafIdType idType = LeafIdType.of(type)
			.orElseThrow(() -> LeafIdentifierGenerator.mistake(LeafIdType.unsupported("attribute", name, type)));
		if (annotation.value().isEmpty()) {
			throw LeafIdentifierGenerator.mistake(LeafIdType.keyRequired(name));
		}
		this.values = new IssuedValues(annotation.value(), idType);
		Database database = context.getDatabase();
		if (property.getValue().getSelectables().get(0) instanceof Column column) {
			this.column = column.getQuotedName(database.getDialect());
		}
		this.table = property.getValue()
			.getTable()
			.getQualifiedName(SqlStringGenerationContextImpl.fromExplicit(database.getJdbcEnvironment(), database,
					context.getDefaultCatalog(), context.getDefaultSchema()));
	}

	private static boolean isPrimitive(@Nullable Member member) {
		return (member instanceof Field field && field.getType() == long.class)
				|| (member instanceof Method getter && getter.getReturnType() == long.class);
	}

	/**
	 * Returns inserts only, because an update keeps the value. Returns no events if the
	 * attribute is an ID or a part of an ID.
	 * @return the events for which Hibernate requests a value
	 */
	@Override
	public EnumSet<EventType> getEventTypes() {
		return (this.values != null) ? EventTypeSets.INSERT_ONLY : EventTypeSets.NONE;
	}

	/**
	 * Returns true, because the application may change the value. If this method returned
	 * false, Hibernate 7 would not write the value in updates.
	 * @return true
	 */
	@Override
	public boolean allowMutation() {
		return true;
	}

	/**
	 * Returns the value that the attribute already has or, if it has none, the next ID of
	 * the key. In an attribute of type {@code long}, zero means that no value is set.
	 * @param session the session that inserts the entity
	 * @param owner the entity
	 * @param currentValue the value of the attribute
	 * @param eventType always an insert
	 * @return the value, of the type of the attribute
	 * @throws IdGenerationException if no ID can be issued at the moment
	 */
	@Override
	public @Nullable Object generate(SharedSessionContractImplementor session, Object owner,
			@Nullable Object currentValue, EventType eventType) {
		IssuedValues values = this.values;
		return (values != null && values.type().isUnset(currentValue))
				? values.next(session, () -> existingIds(values, session, owner)) : currentValue;
	}

	private ExistingIds existingIds(IssuedValues values, SharedSessionContractImplementor session, Object owner) {
		EntityPersister declaring = (this.entityName != null)
				? session.getFactory().getMappingMetamodel().getEntityDescriptor(this.entityName)
				: session.getEntityPersister(null, owner).getRootEntityDescriptor().getEntityPersister();
		// with TABLE_PER_CLASS, the values are in the tables of the entity and of its
		// subclasses, and getTableName() returns a query over these tables
		String table = (declaring instanceof UnionSubclassEntityPersister union) ? union.getTableName() : this.table;
		return new ExistingIds(values.key(), table, this.column, values.type());
	}

}
