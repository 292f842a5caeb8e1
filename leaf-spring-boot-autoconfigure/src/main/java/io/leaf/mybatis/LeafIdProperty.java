// SPDX-License-Identifier: Apache-2.0

package io.leaf.mybatis;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.leaf.IdGenerationException;
import io.leaf.LeafId;
import io.leaf.support.LeafIdType;
import org.apache.ibatis.reflection.MetaObject;
import org.apache.ibatis.reflection.property.PropertyNamer;

/**
 * A property that is marked with {@link LeafId}.
 *
 * @param owner the class that declares or inherits the property
 * @param name the property's name
 * @param key the annotation's key, or an empty string if the annotation has none
 * @param type the type of the property
 */
record LeafIdProperty(Class<?> owner, String name, String key, LeafIdType type) {

	/**
	 * A {@link ClassValue} stores the properties with the class itself. So the library
	 * holds no reference that would keep the class from being unloaded.
	 */
	private static final ClassValue<List<LeafIdProperty>> PROPERTIES = new ClassValue<>() {

		@Override
		protected List<LeafIdProperty> computeValue(Class<?> type) {
			return find(type);
		}

	};

	/**
	 * Returns the marked properties that a class declares or inherits.
	 * @param owner the class
	 * @return the properties that are marked with {@link LeafId}
	 * @throws IdGenerationException if the type of one of these properties is not
	 * supported
	 */
	static List<LeafIdProperty> of(Class<?> owner) {
		return PROPERTIES.get(owner);
	}

	private static List<LeafIdProperty> find(Class<?> owner) {
		Map<String, LeafIdProperty> properties = new LinkedHashMap<>();
		for (Class<?> type = owner; type != null; type = type.getSuperclass()) {
			for (Field field : type.getDeclaredFields()) {
				LeafId leafId = field.getAnnotation(LeafId.class);
				if (leafId != null) {
					properties.putIfAbsent(field.getName(), create(owner, field.getName(), leafId, field.getType()));
				}
			}
			for (Method method : type.getDeclaredMethods()) {
				LeafId leafId = method.getAnnotation(LeafId.class);
				if (leafId != null && PropertyNamer.isGetter(method.getName())) {
					String name = PropertyNamer.methodToProperty(method.getName());
					properties.putIfAbsent(name, create(owner, name, leafId, method.getReturnType()));
				}
			}
		}
		return List.copyOf(properties.values());
	}

	private static LeafIdProperty create(Class<?> owner, String name, LeafId leafId, Class<?> type) {
		LeafIdType idType = LeafIdType.of(type)
			.orElseThrow(() -> new IdGenerationException(
					LeafIdType.unsupported("attribute", owner.getName() + "." + name, type)));
		return new LeafIdProperty(owner, name, leafId.value(), idType);
	}

	/**
	 * Returns whether the property of an object has no value yet.
	 */
	boolean isUnset(MetaObject object) {
		return this.type.isUnset(object.getValue(this.name));
	}

	/**
	 * Returns the names of the class and the property, for messages.
	 */
	@Override
	public String toString() {
		return this.owner.getName() + "." + this.name;
	}

}
