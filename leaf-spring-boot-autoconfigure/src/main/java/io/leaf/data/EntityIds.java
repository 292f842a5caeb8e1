// SPDX-License-Identifier: Apache-2.0

package io.leaf.data;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;

import io.leaf.IdGenerationException;
import io.leaf.IdGenerator;
import io.leaf.LeafId;
import io.leaf.support.ExistingIds;
import io.leaf.support.LeafIdType;
import org.jspecify.annotations.Nullable;

import org.springframework.data.mapping.PersistentPropertyAccessor;
import org.springframework.data.relational.core.mapping.RelationalMappingContext;
import org.springframework.data.relational.core.mapping.RelationalPersistentEntity;
import org.springframework.data.relational.core.mapping.RelationalPersistentProperty;
import org.springframework.data.relational.core.sql.SqlIdentifier;
import org.springframework.util.ClassUtils;

/**
 * Finds the properties that are marked with {@link LeafId}, and issues their values.
 * Nothing is cached here, because the mapping contexts hold the metadata of the classes.
 * Safe for use by any number of threads.
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
	 * @return the metadata, or {@code null} if the instance is not an entity
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
	 * Returns the metadata of an embedded property, with the names of its columns in the
	 * table of the entity that contains the property.
	 */
	RelationalPersistentEntity<?> embedded(RelationalPersistentProperty property) {
		return this.contexts.get(0).getRequiredPersistentEntity(property);
	}

	/**
	 * Checks the properties that are marked with {@link LeafId} in all entities that the
	 * mapping contexts know.
	 * @throws IdGenerationException if {@link LeafId} is not allowed on one of these
	 * properties, for example because of the type of the property
	 */
	void check() {
		this.contexts
			.forEach((context) -> context.getPersistentEntities().forEach((entity) -> columns(entity, entity)));
	}

	/**
	 * Returns the properties of an instance that are marked with {@link LeafId} and have
	 * no value. The properties of embedded instances are not included.
	 * @param instance the instance
	 * @param entity the metadata of the instance
	 * @param table the metadata of the entity in which the instance is embedded, or
	 * {@code entity} if the instance is not embedded
	 * @param inserted whether the instance is inserted. If the instance is not inserted,
	 * no property other than the ID is returned
	 * @return the properties
	 * @throws IdGenerationException if {@link LeafId} is not allowed on one of the
	 * properties of the instance, for example because of the type of the property
	 */
	List<LeafIdColumn> missing(Object instance, RelationalPersistentEntity<?> entity,
			RelationalPersistentEntity<?> table, boolean inserted) {
		PersistentPropertyAccessor<?> accessor = entity.getPropertyAccessor(instance);
		return columns(entity, table).stream()
			.filter((column) -> inserted || column.property().isIdProperty())
			.filter((column) -> column.type().isUnset(accessor.getProperty(column.property())))
			.toList();
	}

	private List<LeafIdColumn> columns(RelationalPersistentEntity<?> entity, RelationalPersistentEntity<?> table) {
		List<LeafIdColumn> columns = new ArrayList<>();
		for (RelationalPersistentProperty property : entity) {
			if (property.isAnnotationPresent(LeafId.class)) {
				LeafIdColumn column = new LeafIdColumn(table, property);
				column.check();
				columns.add(column);
			}
			if (property.isIdProperty() && property.isEntity()) {
				this.contexts.get(0)
					.getRequiredPersistentEntity(property.getActualType())
					.forEach(EntityIds::refusePartOfCompositeId);
			}
		}
		return columns;
	}

	private static void refusePartOfCompositeId(RelationalPersistentProperty property) {
		if (property.isAnnotationPresent(LeafId.class)) {
			throw new IdGenerationException(
					"@LeafId on %s.%s has no effect: with Spring Data, Leaf sets no part of a composite ID. Remove @LeafId and set the value yourself"
						.formatted(property.getOwner().getName(), property.getName()));
		}
	}

	/**
	 * Issues the next value of a property.
	 * @param column the property
	 * @return the value
	 * @throws IdGenerationException if no ID can be issued at the moment
	 */
	Object next(LeafIdColumn column) {
		return column.type().next(this.generator.get(), column.key());
	}

	/**
	 * Issues the next value of a property without waiting for it.
	 * @param column the property
	 * @return a stage that completes with the value, or {@code null} if the value is a
	 * text. Texts are issued only by {@link #next}
	 */
	@Nullable CompletionStage<?> nextAsync(LeafIdColumn column) {
		return (column.type() != LeafIdType.TEXT) ? this.generator.get().sequence(column.key()).nextIdAsync() : null;
	}

	/**
	 * Returns where the existing values of a property are stored, if the generator needs
	 * to know them.
	 * @param column the property
	 * @param sql quotes a name for use in a statement
	 * @return the table and the column, or {@code null} if the generator does not need
	 * the existing values
	 */
	@Nullable ExistingIds neededIds(LeafIdColumn column, Function<SqlIdentifier, String> sql) {
		String key = column.key();
		return ExistingIds.areNeeded(this.generator.get(), key)
				? new ExistingIds(key, sql.apply(column.table().getQualifiedTableName()),
						sql.apply(column.property().getColumnName()), column.type())
				: null;
	}

	/**
	 * Reads the largest ID in the table of an entity, and reports it to the generator.
	 * @param ids where the IDs are stored
	 * @param query runs a query and returns its only value as text
	 * @throws IdGenerationException if the largest ID cannot be read
	 */
	void report(ExistingIds ids, Function<String, @Nullable String> query) {
		ids.report(this.generator.get(), query);
	}

	/**
	 * Reports the largest ID in the table of an entity to the generator.
	 * @param ids where the IDs are stored
	 * @param largest the largest ID, or {@code null} if the table contains no ID
	 */
	void report(ExistingIds ids, @Nullable String largest) {
		ids.report(this.generator.get(), largest);
	}

}
