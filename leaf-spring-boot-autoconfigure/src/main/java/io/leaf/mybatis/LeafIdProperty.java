// SPDX-License-Identifier: Apache-2.0

package io.leaf.mybatis;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.Optional;

import io.leaf.IdGenerationException;
import io.leaf.LeafId;
import io.leaf.support.LeafIdType;
import org.apache.ibatis.reflection.MetaObject;
import org.apache.ibatis.reflection.property.PropertyNamer;

/**
 * The property of a class that is marked with {@link LeafId}.
 *
 * @param owner the class
 * @param name the property's name
 * @param key the annotation's key, or an empty string
 * @param type the type of the ID
 */
record LeafIdProperty(Class<?> owner, String name, String key, LeafIdType type) {

	/**
	 * Stored with the class itself, so that the library holds no reference to a class.
	 */
	private static final ClassValue<Optional<LeafIdProperty>> PROPERTIES = new ClassValue<>() {

		@Override
		protected Optional<LeafIdProperty> computeValue(Class<?> type) {
			return find(type);
		}

	};

	/**
	 * Returns the property of a class, which may be inherited.
	 * @param owner the class
	 * @return the property, or empty if none is marked
	 * @throws IdGenerationException if its type is not supported
	 */
	static Optional<LeafIdProperty> of(Class<?> owner) {
		return PROPERTIES.get(owner);
	}

	private static Optional<LeafIdProperty> find(Class<?> owner) {
		for (Class<?> type = owner; type != null; type = type.getSuperclass()) {
			for (Field field : type.getDeclaredFields()) {
				LeafId leafId = field.getAnnotation(LeafId.class);
				if (leafId != null) {
					return Optional.of(create(owner, field.getName(), leafId, field.getType()));
				}
			}
			for (Method method : type.getDeclaredMethods()) {
				LeafId leafId = method.getAnnotation(LeafId.class);
				if (leafId != null && PropertyNamer.isGetter(method.getName())) {
					String name = PropertyNamer.methodToProperty(method.getName());
					return Optional.of(create(owner, name, leafId, method.getReturnType()));
				}
			}
		}
		return Optional.empty();
	}

	private static LeafIdProperty create(Class<?> owner, String name, LeafId leafId, Class<?> type) {
		LeafIdType idType = LeafIdType.of(type)
			.orElseThrow(() -> new IdGenerationException("The id %s.%s is of type %s, but a Leaf ID needs %s"
				.formatted(owner.getName(), name, type.getTypeName(), LeafIdType.SUPPORTED)));
		return new LeafIdProperty(owner, name, leafId.value(), idType);
	}

	/**
	 * Returns whether an object has no ID yet.
	 */
	boolean isUnset(MetaObject object) {
		return this.type.isUnset(object.getValue(this.name));
	}

	/**
	 * Returns the location of the property, for messages.
	 */
	@Override
	public String toString() {
		return this.owner.getName() + "." + this.name;
	}

}
