// SPDX-License-Identifier: Apache-2.0

package io.leaf.json;

import org.jspecify.annotations.Nullable;

/**
 * The types in JSON that {@link io.leaf.text.LeafText @LeafText} supports.
 */
final class LeafTextTypes {

	private LeafTextTypes() {
	}

	/**
	 * Returns whether the IDs are the elements or values of a type.
	 * @param type the type of a property
	 * @param content the type of its elements or values, or {@code null} if it has none
	 * @return {@code true} for the elements or values, {@code false} for the property
	 * @throws IllegalArgumentException if neither is an ID, or Jackson cannot read and
	 * write the elements differently
	 */
	static boolean isContent(Class<?> type, @Nullable Class<?> content) {
		if (type != long.class && type != Long.class && content != Long.class) {
			throw new IllegalArgumentException(
					"@LeafText does not support %s. Use it on a long or Long, or on a collection, an array, an Optional or the values of a map of Long"
						.formatted((content != null) ? "%s of %s".formatted(type.getName(), content.getName())
								: type.getName()));
		}
		return content == Long.class;
	}

}
