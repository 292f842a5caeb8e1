// SPDX-License-Identifier: Apache-2.0

package io.leaf.support;

import java.util.function.Function;

import io.leaf.IdGenerationException;
import io.leaf.IdGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The IDs that the table of an entity contains when the key of the entity is added.
 * <p>
 * The largest of these IDs is read on the connection of the transaction that saves the
 * entity. No other connection is suitable, because the transactions that save entities at
 * this time may hold all connections of the application's pool, and Leaf's own pool may
 * be connected to a different database.
 * <p>
 * If several processes add the same key at the same time, one process inserts the row of
 * the key. The other processes use that row, and ignore the largest ID that they have
 * read. The IDs of the row begin above every ID that the inserting process saw in the
 * table of the entity, and all IDs that Leaf issues for the key come from this row. So
 * Leaf could issue an existing ID only if the ID is from another source and was not
 * visible to the inserting process, for example because it was not committed yet.
 * Therefore, any other source of IDs must be stopped before the key is added.
 *
 * @param key the key
 * @param table the table of the entity, as written in an SQL statement
 * @param column the column of the ID, as written in an SQL statement
 * @param type the type of the ID
 */
public record ExistingIds(String key, String table, String column, LeafIdType type) {

	/**
	 * Returns whether a generator needs the largest ID of a key.
	 * @param generator the generator
	 * @param key the key
	 * @return whether to read and report the largest ID
	 */
	public static boolean areNeeded(IdGenerator generator, String key) {
		return generator instanceof NewKeys keys && keys.isNew(key);
	}

	/**
	 * Returns the SQL statement that reads the largest ID. The result of the statement is
	 * one row with one column.
	 * @return the statement
	 */
	public String query() {
		String query = "SELECT MAX(%s) FROM %s t".formatted(this.column, this.table);
		// compares only the longest texts, because '9' is larger than '10' as a text
		return (this.type != LeafIdType.TEXT) ? query
				: query + " WHERE CHAR_LENGTH(%1$s) = (SELECT MAX(CHAR_LENGTH(%1$s)) FROM %2$s s)"
					.formatted(this.column, this.table);
	}

	/**
	 * Reads the largest ID and reports it to a generator.
	 * @param generator the generator that needs the largest ID
	 * @param database runs the query and returns the value as text, or {@code null} if
	 * the table is empty
	 * @throws IdGenerationException if the largest ID cannot be read, or is not a number
	 */
	public void report(IdGenerator generator, Function<String, @Nullable String> database) {
		@Nullable String largest;
		try {
			largest = database.apply(query());
		}
		catch (RuntimeException ex) {
			throw unreadable(ex);
		}
		report(generator, largest);
	}

	/**
	 * Reports the largest ID to a generator.
	 * @param generator the generator that needs the largest ID
	 * @param largest the value that the query has read, or {@code null} if the table is
	 * empty
	 * @throws IdGenerationException if the value is not a number
	 */
	public void report(IdGenerator generator, @Nullable String largest) {
		if (largest != null && generator instanceof NewKeys keys) {
			String text = largest.strip();
			try {
				long id = Long.parseLong(text);
				if (this.type != LeafIdType.TEXT || keys.isDecimal(this.key, text)) {
					keys.startAbove(this.key, id);
					return;
				}
			}
			catch (NumberFormatException ex) {
				// reported below
			}
			throw unreadable(new IllegalArgumentException(
					"'%s' is not a 64-bit decimal number in the format of the key".formatted(largest)));
		}
	}

	/**
	 * Returns the exception to throw if the largest ID cannot be read.
	 * @param cause the cause
	 * @return an exception that says what to do
	 */
	public IdGenerationException unreadable(Throwable cause) {
		Throwable root = cause;
		while (root.getCause() != null) {
			root = root.getCause();
		}
		return new IdGenerationException(
				"Cannot add a row for key '%s', because the IDs of the key should begin above the largest ID in the table of the entity, and this largest ID could not be read with %s (%s). Correct the cause, or add the row manually, or set leaf.segment.auto-create.above-existing-ids=false to begin at leaf.keys.<key>.start-from"
					.formatted(this.key, query(), root.getMessage()),
				cause);
	}

}
