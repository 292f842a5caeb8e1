// SPDX-License-Identifier: Apache-2.0

package io.leaf.data;

import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

import io.leaf.IdGenerationException;
import org.jspecify.annotations.Nullable;

import org.springframework.data.mapping.PersistentPropertyAccessor;
import org.springframework.data.relational.core.mapping.RelationalPersistentEntity;
import org.springframework.data.relational.core.mapping.RelationalPersistentProperty;

/**
 * Assigns IDs and other values to the entities of one aggregate: the root and the
 * entities below it. Spring Data calls its callbacks for the root only, and inserts the
 * other entities together with the root. An immutable entity is replaced by a copy. If
 * the collection that contains the entity cannot be modified, the collection is also
 * replaced by a copy. Each aggregate requires its own instance of this class.
 */
final class AggregateIds {

	private final EntityIds ids;

	private final Function<LeafIdColumn, Object> values;

	private int issued;

	/**
	 * Creates an instance for one aggregate.
	 * @param ids finds the properties that need a value
	 * @param values issues the value of a property
	 */
	AggregateIds(EntityIds ids, Function<LeafIdColumn, Object> values) {
		this.ids = ids;
		this.values = values;
	}

	/**
	 * Assigns a value to every property that is marked with {@code @LeafId} and has none.
	 * The entities below the root get all values even if the root is updated, because
	 * Spring Data inserts these entities each time that the aggregate is saved.
	 * @param root the root of the aggregate
	 * @param inserted whether the root is inserted. If the root is updated, no property
	 * of the root except the ID gets a value
	 * @return the root, or a copy of it if it had to be changed but is immutable
	 * @throws IdGenerationException if an ID cannot be issued at the moment, or cannot be
	 * set
	 */
	<T> T withIds(T root, boolean inserted) {
		RelationalPersistentEntity<?> entity = this.ids.entity(root);
		return (entity != null) ? withIds(root, entity, entity, inserted) : root;
	}

	private <T> T withIds(T instance, RelationalPersistentEntity<?> entity, RelationalPersistentEntity<?> table,
			boolean inserted) {
		PersistentPropertyAccessor<T> accessor = entity.getPropertyAccessor(instance);
		for (LeafIdColumn column : this.ids.missing(instance, entity, table, inserted)) {
			accessor.setProperty(column.property(), this.values.apply(column));
			this.issued++;
		}
		for (RelationalPersistentProperty property : entity) {
			if (property.isEntity() && property.isWritable() && !property.isIdProperty() && !property.isAssociation()) {
				Object before = accessor.getProperty(property);
				Object after = (before != null && property.isEmbedded())
						? withIds(before, this.ids.embedded(property), table, inserted) : withIdsBelow(before);
				if (after != before) {
					set(accessor, property, after);
				}
			}
		}
		return accessor.getBean();
	}

	private static void set(PersistentPropertyAccessor<?> accessor, RelationalPersistentProperty property,
			@Nullable Object value) {
		try {
			accessor.setProperty(property, value);
		}
		catch (UnsupportedOperationException | IllegalStateException ex) {
			throw new IdGenerationException(
					("Cannot set the IDs of the entities in %s.%s: the entities are immutable, and neither the property nor "
							+ "its value can be modified. Use a modifiable collection or a property that is not final, "
							+ "or set these IDs before you save")
						.formatted(property.getOwner().getName(), property.getName()),
					ex);
		}
	}

	private @Nullable Object withIdsBelow(@Nullable Object value) {
		if (value instanceof Map<?, ?> map) {
			return withIdsOfValues(map);
		}
		if (value instanceof Collection<?> collection) {
			return withIdsOfElements(collection);
		}
		if (value instanceof Object[] array) {
			for (int i = 0; i < array.length; i++) {
				Array.set(array, i, withIdsBelow(array[i]));
			}
			return array;
		}
		return (value != null) ? withIds(value, true) : null;
	}

	@SuppressWarnings("unchecked") // copies are of the same type
	private <K, V> Map<K, V> withIdsOfValues(Map<K, V> map) {
		Map<K, V> after = new LinkedHashMap<>();
		map.forEach((key, value) -> after.put(key, (V) withIdsBelow(value)));
		if (sameInstances(map.values(), after.values())) {
			return map;
		}
		try {
			map.replaceAll((key, value) -> after.get(key));
			return map;
		}
		catch (UnsupportedOperationException ex) {
			return after;
		}
	}

	@SuppressWarnings("unchecked") // copies are of the same type
	private <E> Collection<E> withIdsOfElements(Collection<E> collection) {
		int issuedBefore = this.issued;
		List<E> after = new ArrayList<>(collection.size());
		collection.forEach((element) -> after.add((E) withIdsBelow(element)));
		boolean same = sameInstances(collection, after);
		if (same && !(collection instanceof Set<?> && this.issued != issuedBefore)) {
			return collection;
		}
		try {
			if (collection instanceof List<E> list) {
				Iterator<E> replacements = after.iterator();
				list.replaceAll((element) -> replacements.next());
			}
			else if (collection instanceof Set<E>) {
				// the elements are added again even if no copy has replaced any of them,
				// because their hash codes may depend on their IDs
				collection.clear();
				collection.addAll(after);
			}
			else {
				return after;
			}
			return collection;
		}
		catch (UnsupportedOperationException ex) {
			if (same) {
				return collection;
			}
			return (collection instanceof Set<?>) ? new LinkedHashSet<>(after) : after;
		}
	}

	private static boolean sameInstances(Collection<?> before, Collection<?> after) {
		Iterator<?> replaced = after.iterator();
		for (Object element : before) {
			if (element != replaced.next()) {
				return false;
			}
		}
		return true;
	}

}
