// SPDX-License-Identifier: Apache-2.0

package io.leaf.segment.jdbc;

import java.util.List;
import java.util.stream.Stream;

/**
 * A further part of a WHERE clause.
 *
 * @param sql the part, which begins with AND unless it is empty
 * @param arguments its arguments
 */
record Criterion(String sql, List<Object> arguments) {

	static final Criterion NONE = new Criterion("", List.of());

	Criterion and(Criterion other) {
		return new Criterion(this.sql + other.sql,
				Stream.of(this, other).flatMap((c) -> c.arguments.stream()).toList());
	}

}
