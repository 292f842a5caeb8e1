// SPDX-License-Identifier: Apache-2.0

package io.leaf.support;

import io.leaf.LeafId;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

/**
 * The Java types that an ID marked with {@link LeafId} may have.
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
	 * {@link String}, which holds the number in decimal; {@code null} means that there is
	 * no ID yet.
	 */
	TEXT;

	/**
	 * What {@link #of(Class)} knows and what to do with other types, for messages.
	 */
	public static final String SUPPORTED = "java.lang.Long, long or java.lang.String. Change its type, or remove @LeafId";

	/**
	 * Finds the type of an ID by the class of the field or property that holds it.
	 * @param type the class
	 * @return the type, or nothing if the class is not supported
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
	 * Converts an ID to this type.
	 * @param id the ID
	 * @return a {@link Long} or a {@link String}
	 */
	public Object convert(long id) {
		if (this == TEXT) {
			return Long.toString(id);
		}
		return id;
	}

}
