// SPDX-License-Identifier: Apache-2.0

package io.leaf.hibernate;

import java.beans.Introspector;
import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.leaf.LeafId;
import jakarta.persistence.Embeddable;
import jakarta.persistence.Entity;
import jakarta.persistence.MappedSuperclass;
import org.hibernate.SessionFactory;
import org.hibernate.SessionFactoryObserver;
import org.hibernate.TransientObjectException;
import org.hibernate.boot.Metadata;
import org.hibernate.boot.spi.BootstrapContext;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.event.service.spi.EventListenerRegistry;
import org.hibernate.event.spi.EventSource;
import org.hibernate.event.spi.EventType;
import org.hibernate.event.spi.PersistContext;
import org.hibernate.event.spi.PersistEvent;
import org.hibernate.event.spi.PersistEventListener;
import org.hibernate.event.spi.PreUpsertEvent;
import org.hibernate.event.spi.PreUpsertEventListener;
import org.hibernate.generator.Generator;
import org.hibernate.id.CompositeNestedGeneratedValueGenerator;
import org.hibernate.integrator.spi.Integrator;
import org.hibernate.persister.entity.EntityPersister;
import org.hibernate.proxy.HibernateProxy;
import org.hibernate.service.spi.SessionFactoryServiceRegistry;
import org.hibernate.type.CollectionType;
import org.hibernate.type.CompositeType;
import org.hibernate.type.Type;
import org.jspecify.annotations.Nullable;

import static org.hibernate.generator.EventType.INSERT;

/**
 * Supplements {@link LeafIdentifierGenerator} and {@link LeafAttributeGenerator}. This
 * class sets the attributes with {@link LeafId} that are not IDs when an entity is
 * persisted. It also makes two checks, because in some cases Hibernate calls no
 * generator: startup fails if Hibernate ignores a {@link LeafId}, and the upsert of an
 * entity is refused if an attribute with {@link LeafId} has no value. Hibernate finds
 * this class through its {@code ServiceLoader} entry.
 */
public final class LeafIdIntegrator implements Integrator {

	/**
	 * Creates an integrator.
	 */
	public LeafIdIntegrator() {
	}

	@Override
	public void integrate(Metadata metadata, BootstrapContext bootstrapContext,
			SessionFactoryImplementor sessionFactory) {
		metadata.getEntityBindings().forEach(LeafEmbeddedGenerator::install);
		Map<String, List<LeafAttribute>> attributes = new ConcurrentHashMap<>();
		EventListenerRegistry listeners = sessionFactory.getEventEngine().getListenerRegistry();
		listeners.prependListeners(EventType.PERSIST, new PersistListener(attributes));
		listeners.appendListeners(EventType.PRE_UPSERT, new UpsertListener(attributes));
		sessionFactory.addObserver(new IgnoredAnnotations(attributes));
	}

	@Override
	public void disintegrate(SessionFactoryImplementor sessionFactory, SessionFactoryServiceRegistry serviceRegistry) {
		// there are no resources to release
	}

	/**
	 * Returns the parts of an entity's ID whose values Leaf issues, by name. An ID that
	 * is not composite is a single part, with the position -1.
	 */
	private static Map<String, Part> parts(EntityPersister persister) {
		Generator generator = persister.getGenerator();
		Map<String, Part> parts = new TreeMap<>();
		if (generator instanceof LeafIdentifierGenerator leaf) {
			parts.put(persister.getIdentifierPropertyName(), new Part(leaf, -1));
		}
		else if (generator instanceof CompositeNestedGeneratedValueGenerator composite
				&& !LeafIdentifierGenerator.HIBERNATE_6) {
			String[] names = ((CompositeType) persister.getIdentifierType()).getPropertyNames();
			composite.getGenerationPlans().forEach((plan) -> {
				if (plan.getGenerator() instanceof LeafIdentifierGenerator leaf) {
					parts.put(names[plan.getPropertyIndex()], new Part(leaf, plan.getPropertyIndex()));
				}
			});
		}
		return parts;
	}

	private record Part(LeafIdentifierGenerator generator, int position) {

		boolean isUnset(EntityPersister persister, Object id) {
			return this.generator.isUnset(persister, (this.position < 0) ? id
					: ((CompositeType) persister.getIdentifierType()).getPropertyValues(id)[this.position]);
		}

	}

	/**
	 * Sets the attributes with {@link LeafId} that are not IDs when an entity is
	 * persisted, before Hibernate reads the entity's state for the insert. Hibernate
	 * itself would call the generators of these attributes only when it executes the
	 * insert, at the flush.
	 */
	private record PersistListener(Map<String, List<LeafAttribute>> attributes) implements PersistEventListener {

		private static final long serialVersionUID = 1L;

		@Override
		public void onPersist(PersistEvent event) {
			EventSource session = event.getSession();
			Object entity = event.getObject();
			// for an entity that is already in the session, Hibernate schedules no
			// further insert
			if (HibernateProxy.extractLazyInitializer(entity) != null
					|| session.getPersistenceContextInternal().isEntryFor(entity)) {
				return;
			}
			EntityPersister persister = session.getEntityPersister(event.getEntityName(), entity);
			List<LeafAttribute> unset = this.attributes.getOrDefault(persister.getEntityName(), List.of())
				.stream()
				.filter((attribute) -> attribute.isUnset(entity))
				.toList();
			for (LeafAttribute attribute : unset) {
				int position = attribute.position();
				Object value = attribute.generator()
					.generate(session, entity, persister.getValue(entity, position), INSERT);
				persister.setValue(entity, position, value);
			}
		}

		@Override
		public void onPersist(PersistEvent event, PersistContext createdAlready) {
			onPersist(event);
		}

	}

	/**
	 * Refuses the upsert of an entity if an attribute with {@link LeafId} has no value.
	 * Leaf would issue the value for an insert, but Hibernate calls no generator in an
	 * upsert. Hibernate itself rejects an ID that is {@code null}, but would write an ID
	 * that is zero.
	 */
	private record UpsertListener(Map<String, List<LeafAttribute>> attributes) implements PreUpsertEventListener {

		private static final long serialVersionUID = 1L;

		@Override
		public boolean onPreUpsert(PreUpsertEvent event) {
			EntityPersister persister = event.getPersister();
			parts(persister).forEach((name, part) -> {
				if (part.isUnset(persister, event.getId())) {
					throw unset("id", persister, name, part.generator().key(), "IDs", "the ID");
				}
			});
			for (LeafAttribute attribute : this.attributes.getOrDefault(persister.getEntityName(), List.of())) {
				LeafId leafId = attribute.annotation();
				if (leafId != null && attribute.isUnset(event.getEntity())) {
					throw unset("attribute", persister, attribute.name(), leafId.value(), "values", "the attribute");
				}
			}
			return false;
		}

		private static TransientObjectException unset(String kind, EntityPersister persister, String name, String key,
				String generated, String missing) {
			return new TransientObjectException(
					("Cannot upsert an entity whose %s %s.%s is not set: Hibernate does not generate %s in upsert(). "
							+ "Insert the entity to give it the next ID of key '%s', or set %s first")
						.formatted(kind, persister.getEntityName(), name, generated, key, missing));
		}

	}

	/**
	 * Fails startup if {@link LeafId} is on an attribute for which Hibernate does not
	 * request values.
	 */
	private record IgnoredAnnotations(Map<String, List<LeafAttribute>> attributes) implements SessionFactoryObserver {

		private static final long serialVersionUID = 1L;

		private static final Predicate<Member> NONE = (member) -> false;

		@Override
		public void sessionFactoryCreated(SessionFactory factory) {
			((SessionFactoryImplementor) factory).getMappingMetamodel().forEachEntityDescriptor(this::check);
		}

		private void check(EntityPersister persister) {
			Map<String, Part> parts = parts(persister);
			// A @LeafId on the ID is refused only if Hibernate expects the application to
			// assign the ID. Otherwise, Leaf generates the ID, or the entity uses
			// @MapsId, which takes precedence over a @LeafId that the ID inherits from a
			// mapped superclass. Hibernate's class Assigned is compared by name, because
			// its package differs between Hibernate 6 and 7
			boolean assigned = persister.getGenerator().getClass().getSimpleName().equals("Assigned");
			@Nullable String derived = assigned ? null : persister.getIdentifierPropertyName();
			List<LeafAttribute> attributes = LeafAttribute.of(persister);
			this.attributes.put(persister.getEntityName(), attributes);
			Set<Member> members = attributes.stream().map(LeafAttribute::member).collect(Collectors.toSet());
			Predicate<Member> isPart = (member) -> parts.containsKey(name(member));
			checkClass(persister.getMappedClass(),
					isPart.or(members::contains).or((member) -> name(member).equals(derived)));
			checkEmbedded(persister.getIdentifierType(), isPart);
			for (Type type : persister.getPropertyTypes()) {
				if (type instanceof CollectionType collection) {
					checkEmbedded(collection.getElementType(persister.getFactory()), NONE);
				}
				// with an @IdClass, one of the property types is the entity's own class
				else if (type.getReturnedClass() != persister.getMappedClass()) {
					checkEmbedded(type, members::contains);
				}
			}
		}

		private static void checkEmbedded(Type type, Predicate<Member> generated) {
			if (type instanceof CompositeType composite) {
				checkClass(type.getReturnedClass(), generated);
				for (Type subtype : composite.getSubtypes()) {
					checkEmbedded(subtype, NONE);
				}
			}
		}

		private static void checkClass(@Nullable Class<?> mapped, Predicate<Member> generated) {
			for (Class<?> type = mapped; type != null; type = type.getSuperclass()) {
				if (isMapped(type)) {
					Stream.<Member>concat(Stream.of(type.getDeclaredFields()), Stream.of(type.getDeclaredMethods()))
						.filter((member) -> ((AnnotatedElement) member).isAnnotationPresent(LeafId.class))
						.filter(generated.negate())
						.forEach(IgnoredAnnotations::refuse);
				}
			}
		}

		private static void refuse(Member member) {
			throw LeafIdentifierGenerator.mistake(
					("@LeafId on %s.%s has no effect: Hibernate requests values only for the attributes of an entity, "
							+ "of the embeddables directly in the entity and, since version 7, of the entity's @IdClass or "
							+ "@EmbeddedId, and only if the annotation is on the field or getter that Hibernate reads. Move "
							+ "@LeafId to such a field or getter, or remove it")
						.formatted(member.getDeclaringClass().getName(), member.getName()));
		}

		private static String name(Member member) {
			return (member instanceof Method method) ? propertyName(method) : member.getName();
		}

		private static String propertyName(Method method) {
			for (String prefix : new String[] { "get", "is" }) {
				if (method.getName().startsWith(prefix)) {
					return Introspector.decapitalize(method.getName().substring(prefix.length()));
				}
			}
			return method.getName();
		}

		private static boolean isMapped(Class<?> type) {
			return Stream.<Class<? extends Annotation>>of(Entity.class, MappedSuperclass.class, Embeddable.class)
				.anyMatch(type::isAnnotationPresent);
		}

	}

}
