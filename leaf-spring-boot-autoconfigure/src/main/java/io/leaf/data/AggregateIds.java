/*
 * Copyright 2026 the Leaf project authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *      https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */

package io.leaf.data;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

import io.leaf.IdGenerationException;
import org.jspecify.annotations.Nullable;

import org.springframework.data.mapping.PersistentPropertyAccessor;
import org.springframework.data.relational.core.mapping.RelationalPersistentEntity;
import org.springframework.data.relational.core.mapping.RelationalPersistentProperty;

/**
 * Gives the entities of an aggregate their IDs, the root and those below. Spring Data
 * calls its callbacks for the root only, and inserts the others together with it. What is
 * immutable is copied, and so is what holds it.
 */
final class AggregateIds {

	private final EntityIds ids;

	private final Consumer<RelationalPersistentEntity<?>> beforeId;

	/**
	 * Prepares the IDs of aggregates.
	 * @param ids gives an entity its ID
	 * @param beforeId is told of each entity before it gets one
	 */
	AggregateIds(EntityIds ids, Consumer<RelationalPersistentEntity<?>> beforeId) {
		this.ids = ids;
		this.beforeId = beforeId;
	}

	/**
	 * Gives an ID to every entity that lacks one.
	 * @param root the aggregate's root, or an entity below it
	 * @return the same instance, or a copy if it or something in it is immutable
	 * @throws IdGenerationException if no ID can be issued at present
	 */
	<T> T withIds(T root) {
		RelationalPersistentEntity<?> entity = this.ids.entity(root);
		if (entity == null) {
			return root;
		}
		T instance = root;
		if (this.ids.lacksId(entity, root)) {
			this.beforeId.accept(entity);
			instance = this.ids.withId(entity, root);
		}
		PersistentPropertyAccessor<T> accessor = entity.getPropertyAccessor(instance);
		for (RelationalPersistentProperty property : entity) {
			if (property.isEntity() && !property.isIdProperty() && !property.isAssociation()) {
				Object before = accessor.getProperty(property);
				Object after = (before != null) ? withIdsBelow(before) : null;
				if (after != before) {
					accessor.setProperty(property, after);
				}
			}
		}
		return accessor.getBean();
	}

	private Object withIdsBelow(Object value) {
		if (value instanceof Map<?, ?> map) {
			Map<@Nullable Object, @Nullable Object> after = new LinkedHashMap<>();
			map.forEach((key, element) -> after.put(key, withIdsOrNull(element)));
			return changed(map.values(), after.values()) ? after : map;
		}
		if (value instanceof Collection<?> collection) {
			List<@Nullable Object> after = new ArrayList<>(collection.size());
			collection.forEach((element) -> after.add(withIdsOrNull(element)));
			if (!changed(collection, after)) {
				return collection;
			}
			return (collection instanceof Set<?>) ? new LinkedHashSet<>(after) : after;
		}
		return withIds(value);
	}

	private @Nullable Object withIdsOrNull(@Nullable Object element) {
		return (element != null) ? withIds(element) : null;
	}

	private static boolean changed(Collection<?> before, Collection<?> after) {
		Iterator<?> replaced = after.iterator();
		for (Object element : before) {
			if (element != replaced.next()) {
				return true;
			}
		}
		return false;
	}

}
