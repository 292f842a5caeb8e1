// SPDX-License-Identifier: Apache-2.0

package io.leaf.json;

import java.util.stream.BaseStream;

import org.jspecify.annotations.Nullable;

/**
 * The types of properties that {@link io.leaf.text.LeafText @LeafText} supports in JSON.
 */
final class LeafTextTypes {

	private LeafTextTypes() {
	}

	/**
	 * Returns whether the elements or values of a property are IDs, rather than the
	 * property itself.
	 * @param type the type of a property
	 * @param content the type of the property's elements or values, or {@code null} if it
	 * has none
	 * @return {@code true} if the elements or values are IDs, {@code false} if the
	 * property itself is an ID
	 * @throws IllegalArgumentException if neither the property nor its content is an ID,
	 * or if Jackson does not let a module convert the elements, as with {@code long[]}
	 * and streams
	 */
	static boolean isContent(Class<?> type, @Nullable Class<?> content) {
		// Jackson does not let a module convert the elements of a stream
		if ((type != long.class && type != Long.class && content != Long.class)
				|| BaseStream.class.isAssignableFrom(type)) {
			throw new IllegalArgumentException(
					"@LeafText does not support %s. Use it on a long or Long, on a collection, an array or an Optional of Long, or on a map whose values are Long"
						.formatted((content != null) ? "%s of %s".formatted(type.getName(), content.getName())
								: type.getName()));
		}
		return content == Long.class;
	}

}
