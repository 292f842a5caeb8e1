// SPDX-License-Identifier: Apache-2.0

package io.leaf.support;

import java.util.Optional;
import java.util.function.Supplier;

import io.leaf.IdGenerator;
import io.leaf.IdSequence;
import io.leaf.LeafId;
import org.jspecify.annotations.Nullable;

/**
 * The Java types that an attribute marked with {@link LeafId} can have, and the value
 * that an attribute of each type gets.
 */
public enum LeafIdType {

	/**
	 * {@link Long}, where {@code null} means that there is no ID yet.
	 */
	WRAPPER,

	/**
	 * {@code long}, where zero means that there is no ID yet.
	 */
	PRIMITIVE,

	/**
	 * {@link String}, which holds the ID as text in the format of the key; {@code null}
	 * means that there is no ID yet.
	 */
	TEXT;

	/**
	 * Finds the type of an ID by the class of the field or property that holds the ID.
	 * @param type the class
	 * @return the type, or empty if the class is not supported
	 */
	public static Optional<LeafIdType> of(Class<?> type) {
		if (type == Long.class) {
			return Optional.of(WRAPPER);
		}
		if (type == long.class) {
			return Optional.of(PRIMITIVE);
		}
		return (type == String.class) ? Optional.of(TEXT) : Optional.empty();
	}

	/**
	 * Returns whether a field of this type has no ID yet.
	 * @param value the value of the field
	 * @return whether an ID is to be issued
	 */
	public boolean isUnset(@Nullable Object value) {
		return value == null || (this == PRIMITIVE && value instanceof Long number && number == 0);
	}

	/**
	 * Issues the next value of an attribute of this type.
	 * @param generator issues the value
	 * @param key the key
	 * @return a {@link Long}, or a {@link String} in the format of the key
	 * @throws io.leaf.IdGenerationException if no ID can be issued
	 */
	public Object next(IdGenerator generator, String key) {
		return (this != TEXT) ? (Object) generator.nextId(key) : generator.nextText(key);
	}

	/**
	 * Returns a supplier that issues values as {@link #next} does. If the values are
	 * numbers, the key is looked up only once.
	 * @param generator issues the values
	 * @param key the key
	 * @return a supplier that issues one value per call
	 */
	public Supplier<Object> source(IdGenerator generator, String key) {
		if (this == TEXT) {
			return () -> generator.nextText(key);
		}
		IdSequence sequence = generator.sequence(key);
		return sequence::nextId;
	}

	/**
	 * Returns the message for an attribute whose type is not supported.
	 * @param kind {@code id} or {@code attribute}
	 * @param name the name of the attribute
	 * @param type the type of the attribute
	 * @return the message
	 */
	public static String unsupported(String kind, String name, Class<?> type) {
		return "The %s %s is of type %s, but a Leaf ID needs java.lang.Long, long or java.lang.String. Change its type, or remove @LeafId"
			.formatted(kind, name, type.getTypeName());
	}

	/**
	 * Returns the message for an attribute that is not the ID of an entity, and whose
	 * {@link LeafId} names no key.
	 * @param attribute the attribute
	 * @return the message
	 */
	public static String keyRequired(String attribute) {
		return "@LeafId on %s names no key, and only the ID of an entity has a default key (the name of the table). Name the key, as in @LeafId(\"order-number\")"
			.formatted(attribute);
	}

}
