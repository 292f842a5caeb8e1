// SPDX-License-Identifier: Apache-2.0

package io.leaf.jdbc;

import java.util.regex.Pattern;

/**
 * The name of a table, safe to use in an SQL statement: an identifier, optionally
 * preceded by a schema, or by a catalog and a schema.
 *
 * @param value the name as written in a statement
 */
public record TableName(String value) {

	private static final Pattern IDENTIFIERS = Pattern
		.compile("[A-Za-z_][A-Za-z0-9_$]{0,62}(\\.[A-Za-z_][A-Za-z0-9_$]{0,62}){0,2}");

	/**
	 * Describes which names are valid, for messages.
	 */
	public static final String RULE = "one to three names separated by dots (table, schema.table or catalog.schema.table), each of 1 to 63 characters: letters A to Z, digits, '_' and '$', not beginning with a digit or '$'";

	/**
	 * Creates a table name.
	 * @throws IllegalArgumentException if the value is not a valid table name
	 */
	public TableName {
		if (!IDENTIFIERS.matcher(value).matches()) {
			throw new IllegalArgumentException("'%s' is not %s".formatted(value, RULE));
		}
	}

	/**
	 * Returns the name of another table in the schema of this table.
	 * @param table the name of the other table, without schema
	 * @return the name of the other table, with the schema and the catalog of this table
	 * @throws IllegalArgumentException if the result is not a table name
	 */
	public TableName inSameSchema(String table) {
		return new TableName(this.value.substring(0, this.value.lastIndexOf('.') + 1) + table);
	}

	@Override
	public String toString() {
		return this.value;
	}

}
