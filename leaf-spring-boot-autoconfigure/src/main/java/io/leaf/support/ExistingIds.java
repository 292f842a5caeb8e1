// SPDX-License-Identifier: Apache-2.0

package io.leaf.support;

import java.util.function.Function;

import io.leaf.IdGenerationException;
import io.leaf.IdGenerator;
import io.leaf.LeafIdType;
import org.jspecify.annotations.Nullable;

/**
 * The IDs that the table of an entity holds before its key has been added.
 * <p>
 * They are read on the thread that saves the entity, on the connection of its
 * transaction. A further connection would have to come from the application's pool, all
 * of whose connections may be in the hands of callers that wait here; and Leaf's own pool
 * need not lead to the entity's database.
 * <p>
 * Of several processes that add the same key at once, one inserts the row, and the others
 * go on with it. Its value is above each ID that had been committed before its process
 * read the table. What was inserted after that comes from the row, if it comes from Leaf,
 * and so is larger; the value that another process has read since includes such IDs, and
 * is not needed. Only IDs from elsewhere, inserted while the key is being added, may be
 * issued again: what issued them has to stop before.
 *
 * @param key the key
 * @param table the table, as it is written in a statement
 * @param column the column of the ID, as it is written in a statement
 * @param type the type of the ID
 */
public record ExistingIds(String key, String table, String column, LeafIdType type) {

	/**
	 * Returns whether a generator needs to know the IDs of a key.
	 * @param generator the generator
	 * @param key the key
	 * @return whether to read and report them
	 */
	public static boolean areNeeded(IdGenerator generator, String key) {
		return generator instanceof NewKeys keys && keys.isNew(key);
	}

	/**
	 * Returns the statement that reads the largest ID: one row with one column.
	 * @return the statement
	 */
	public String query() {
		String query = "SELECT MAX(%s) FROM %s t".formatted(this.column, this.table);
		// as a text, '9' is larger than '10'
		return (this.type != LeafIdType.TEXT) ? query
				: query + " WHERE CHAR_LENGTH(%1$s) = (SELECT MAX(CHAR_LENGTH(%1$s)) FROM %2$s s)"
					.formatted(this.column, this.table);
	}

	/**
	 * Reads the largest ID and reports it.
	 * @param generator the generator that needs it
	 * @param database runs the query and returns the value as text
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
	 * Reports the largest ID.
	 * @param generator the generator that needs it
	 * @param largest the value that the query has read
	 * @throws IdGenerationException if it is not a number
	 */
	public void report(IdGenerator generator, @Nullable String largest) {
		if (largest != null && generator instanceof NewKeys keys) {
			try {
				keys.startAbove(this.key, Long.parseLong(largest.strip()));
			}
			catch (NumberFormatException ex) {
				throw unreadable(new IllegalArgumentException("'%s' is not an ID that Leaf issues".formatted(largest)));
			}
		}
	}

	/**
	 * Describes why the largest ID is not known.
	 * @param cause the reason
	 * @return an exception that names the ways out
	 */
	public IdGenerationException unreadable(Throwable cause) {
		Throwable root = cause;
		while (root.getCause() != null) {
			root = root.getCause();
		}
		return new IdGenerationException(
				"Cannot add a row for key '%s': it should begin above the largest ID of its table, but %s failed (%s). Correct the cause, or add the row yourself, or set leaf.segment.auto-create.above-existing-ids=false to begin at leaf.keys.<key>.start-from"
					.formatted(this.key, query(), root.getMessage()),
				cause);
	}

}
