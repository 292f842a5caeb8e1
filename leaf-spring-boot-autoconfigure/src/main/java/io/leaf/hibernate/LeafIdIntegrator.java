// SPDX-License-Identifier: Apache-2.0

package io.leaf.hibernate;

import java.beans.Introspector;
import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.util.Map;
import java.util.TreeMap;
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
import org.hibernate.event.spi.EventType;
import org.hibernate.event.spi.PreUpsertEvent;
import org.hibernate.event.spi.PreUpsertEventListener;
import org.hibernate.generator.Generator;
import org.hibernate.id.CompositeNestedGeneratedValueGenerator;
import org.hibernate.integrator.spi.Integrator;
import org.hibernate.persister.entity.EntityPersister;
import org.hibernate.service.spi.SessionFactoryServiceRegistry;
import org.hibernate.type.CollectionType;
import org.hibernate.type.CompositeType;
import org.hibernate.type.Type;
import org.jspecify.annotations.Nullable;

/**
 * Refuses cases in which Hibernate does not call {@link LeafIdentifierGenerator}: at
 * startup a {@link LeafId} that Hibernate ignores, and later an upsert of an entity that
 * has no ID. Hibernate finds this class by its {@code ServiceLoader} entry.
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
		sessionFactory.getEventEngine()
			.getListenerRegistry()
			.appendListeners(EventType.PRE_UPSERT, new UpsertListener());
		sessionFactory.addObserver(new IgnoredAnnotations());
	}

	@Override
	public void disintegrate(SessionFactoryImplementor sessionFactory, SessionFactoryServiceRegistry serviceRegistry) {
		// there are no resources to release
	}

	/**
	 * Returns the attributes of an entity's ID whose values Leaf issues, each with its
	 * position if the ID is composite.
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
	 * Refuses an upsert without an ID. Hibernate calls no generator in an upsert; it
	 * rejects {@code null} itself, but would write a zero.
	 */
	private static final class UpsertListener implements PreUpsertEventListener {

		private static final long serialVersionUID = 1L;

		@Override
		public boolean onPreUpsert(PreUpsertEvent event) {
			EntityPersister persister = event.getPersister();
			parts(persister).forEach((name, part) -> {
				if (part.isUnset(persister, event.getId())) {
					throw new TransientObjectException(("Cannot upsert an entity whose id %s.%s is not set: Hibernate "
							+ "does not generate IDs in upsert(). Insert it, which uses the next ID of key '%s', or set "
							+ "the ID first")
						.formatted(persister.getEntityName(), name, part.generator().key()));
				}
			});
			return false;
		}

	}

	/**
	 * Fails startup if {@link LeafId} is on an attribute for which Hibernate does not
	 * request an ID.
	 */
	private static final class IgnoredAnnotations implements SessionFactoryObserver {

		private static final long serialVersionUID = 1L;

		@Override
		public void sessionFactoryCreated(SessionFactory factory) {
			((SessionFactoryImplementor) factory).getMappingMetamodel().forEachEntityDescriptor(this::check);
		}

		private void check(EntityPersister persister) {
			Map<String, Part> parts = parts(persister);
			// by name, because the class has moved between Hibernate 6 and 7. Any other
			// generator is that of @MapsId, which takes precedence over a mapped
			// superclass
			boolean assigned = persister.getGenerator().getClass().getSimpleName().equals("Assigned");
			@Nullable String derived = assigned ? null : persister.getIdentifierPropertyName();
			checkClass(persister.getMappedClass(), parts, derived);
			checkEmbedded(persister.getIdentifierType(), parts);
			for (Type type : persister.getPropertyTypes()) {
				// with an @IdClass, one of them is the entity itself
				if (type.getReturnedClass() != persister.getMappedClass()) {
					checkEmbedded((type instanceof CollectionType collection)
							? collection.getElementType(persister.getFactory()) : type, Map.of());
				}
			}
		}

		private void checkEmbedded(Type type, Map<String, Part> parts) {
			if (type instanceof CompositeType composite) {
				checkClass(type.getReturnedClass(), parts, null);
				for (Type subtype : composite.getSubtypes()) {
					checkEmbedded(subtype, Map.of());
				}
			}
		}

		private void checkClass(@Nullable Class<?> mapped, Map<String, Part> parts, @Nullable String derived) {
			for (Class<?> type = mapped; type != null; type = type.getSuperclass()) {
				if (isMapped(type)) {
					Stream.concat(Stream.of(type.getDeclaredFields()), Stream.of(type.getDeclaredMethods()))
						.filter((member) -> ((AnnotatedElement) member).isAnnotationPresent(LeafId.class))
						.forEach((member) -> checkMember(member, parts, derived));
				}
			}
		}

		private static void checkMember(Member member, Map<String, Part> parts, @Nullable String derived) {
			String name = (member instanceof Method method) ? propertyName(method) : member.getName();
			if (!parts.containsKey(name) && !name.equals(derived)) {
				throw LeafIdentifierGenerator
					.mistake(("@LeafId on %s.%s has no effect: Hibernate requests an ID only for the @Id "
							+ "of an entity and, since version 7, for the attributes of its @IdClass or @EmbeddedId. Put @LeafId on the "
							+ "field or getter that has @Id, or remove it")
						.formatted(member.getDeclaringClass().getName(), member.getName()));
			}
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
