// SPDX-License-Identifier: Apache-2.0

package io.leaf.segment.jdbc;

import java.util.List;
import java.util.stream.Stream;

/**
 * A condition that is appended to a WHERE clause.
 *
 * @param sql the condition, beginning with AND, or an empty string if there is no
 * condition
 * @param arguments the values of the placeholders in the condition
 */
record Criterion(String sql, List<Object> arguments) {

	static final Criterion NONE = new Criterion("", List.of());

	Criterion and(Criterion other) {
		return new Criterion(this.sql + other.sql,
				Stream.of(this, other).flatMap((c) -> c.arguments.stream()).toList());
	}

}
