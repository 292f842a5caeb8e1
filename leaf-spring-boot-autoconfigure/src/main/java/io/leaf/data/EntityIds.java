// SPDX-License-Identifier: Apache-2.0

package io.leaf.data;

import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;

import io.leaf.IdGenerationException;
import io.leaf.IdGenerator;
import io.leaf.LeafId;
import io.leaf.support.ExistingIds;
import io.leaf.support.LeafIdType;
import org.jspecify.annotations.Nullable;

import org.springframework.data.mapping.PersistentEntity;
import org.springframework.data.mapping.PersistentProperty;
import org.springframework.data.mapping.PersistentPropertyAccessor;
import org.springframework.data.relational.core.mapping.RelationalMappingContext;
import org.springframework.data.relational.core.mapping.RelationalPersistentEntity;
import org.springframework.data.relational.core.mapping.RelationalPersistentProperty;
import org.springframework.data.relational.core.sql.SqlIdentifier;
import org.springframework.util.ClassUtils;

/**
 * Assigns IDs to entities. The metadata of classes stay in the mapping context; nothing
 * is cached here. Safe for use by any number of threads.
 */
final class EntityIds {

	private final List<? extends RelationalMappingContext> contexts;

	private final Supplier<IdGenerator> generator;

	EntityIds(List<? extends RelationalMappingContext> contexts, Supplier<IdGenerator> generator) {
		this.contexts = contexts;
		this.generator = generator;
	}

	/**
	 * Returns the metadata of an instance.
	 * @param instance the instance
	 * @return the metadata, or {@code null} if it is not an entity
	 */
	@Nullable RelationalPersistentEntity<?> entity(Object instance) {
		Class<?> type = ClassUtils.getUserClass(instance);
		for (RelationalMappingContext context : this.contexts) {
			if (context.hasPersistentEntityFor(type)) {
				return context.getPersistentEntity(type);
			}
		}
		return this.contexts.isEmpty() ? null : this.contexts.get(0).getPersistentEntity(type);
	}

	/**
	 * Returns whether an entity needs an ID.
	 * @param entity the entity's metadata
	 * @param instance the entity
	 * @return whether its ID is marked with {@link LeafId} and not set
	 * @throws IdGenerationException if the ID is of an unsupported type, or another
	 * property is marked
	 */
	boolean lacksId(RelationalPersistentEntity<?> entity, Object instance) {
		entity.forEach(this::refuseIgnored);
		PersistentProperty<?> property = entity.getIdProperty();
		return property != null && property.isAnnotationPresent(LeafId.class)
				&& type(property).isUnset(entity.getPropertyAccessor(instance).getProperty(property));
	}

	// includes the parts of composite IDs
	private void refuseIgnored(RelationalPersistentProperty property) {
		if (!property.isIdProperty() && property.isAnnotationPresent(LeafId.class)) {
			throw new IdGenerationException(
					("@LeafId on %s.%s has no effect: with Spring Data, Leaf sets only a property with @Id, and no part of "
							+ "a composite ID. Move @LeafId to a property with @Id, or remove it and set the value yourself")
						.formatted(property.getOwner().getName(), property.getName()));
		}
		if (property.isIdProperty() && property.isEntity()) {
			this.contexts.get(0).getRequiredPersistentEntity(property.getActualType()).forEach(this::refuseIgnored);
		}
	}

	/**
	 * Issues an ID and sets it.
	 * @param entity the metadata of an entity that lacks an ID
	 * @param instance the entity
	 * @return the same instance, or a copy if it is immutable
	 * @throws IdGenerationException if no ID can be issued at the moment
	 */
	<T> T withId(RelationalPersistentEntity<?> entity, T instance) {
		PersistentProperty<?> property = entity.getRequiredIdProperty();
		PersistentPropertyAccessor<T> accessor = entity.getPropertyAccessor(instance);
		accessor.setProperty(property, type(property).convert(this.generator.get().nextId(key(entity))));
		return accessor.getBean();
	}

	private static String key(RelationalPersistentEntity<?> entity) {
		String key = entity.getRequiredIdProperty().getRequiredAnnotation(LeafId.class).value();
		// evaluated each time: an expression may return another name
		return key.isEmpty() ? entity.getTableName().getReference() : key;
	}

	/**
	 * Returns where the existing IDs of an entity are stored, if the generator needs to
	 * know them.
	 * @param entity the metadata of an entity that lacks an ID
	 * @param sql quotes a name for a statement
	 * @return the table and column of the IDs, or {@code null} if they are not needed
	 */
	@Nullable ExistingIds neededIds(RelationalPersistentEntity<?> entity, Function<SqlIdentifier, String> sql) {
		String key = key(entity);
		if (!ExistingIds.areNeeded(this.generator.get(), key)) {
			return null;
		}
		RelationalPersistentProperty property = entity.getRequiredIdProperty();
		return new ExistingIds(key, sql.apply(entity.getQualifiedTableName()), sql.apply(property.getColumnName()),
				type(property));
	}

	/**
	 * Reports the largest ID in the table of an entity.
	 * @param ids the IDs in the table
	 * @param query runs a query and returns its only value as text
	 * @throws IdGenerationException if it cannot be read
	 */
	void report(ExistingIds ids, Function<String, @Nullable String> query) {
		ids.report(this.generator.get(), query);
	}

	/**
	 * Reports the largest ID in the table of an entity.
	 * @param ids the IDs in the table
	 * @param largest the largest ID, or {@code null} if there is none
	 */
	void report(ExistingIds ids, @Nullable String largest) {
		ids.report(this.generator.get(), largest);
	}

	private static LeafIdType type(PersistentProperty<?> property) {
		PersistentEntity<?, ?> owner = property.getOwner();
		return LeafIdType.of(property.getType())
			.orElseThrow(() -> new IdGenerationException("The id %s.%s is of type %s, but a Leaf ID needs %s".formatted(
					owner.getName(), property.getName(), property.getType().getTypeName(), LeafIdType.SUPPORTED)));
	}

}
