// SPDX-License-Identifier: Apache-2.0

package io.leaf.support;

/**
 * An {@link io.leaf.IdGenerator} that can add keys that do not exist yet, and begins such
 * keys above the IDs in the tables of their entities.
 */
public interface NewKeys {

	/**
	 * Returns whether a request for an ID of the key would probably add the key. This
	 * method does not access the store, so another process may already have added the
	 * key. If the result is {@code true}, a caller that knows the table of the key's
	 * entity calls {@link #startAbove} with the largest ID in that table, and requests an
	 * ID only then.
	 * @param key the key
	 * @return whether to report the largest ID
	 */
	boolean isNew(String key);

	/**
	 * Returns whether a text of decimal digits, read in the format of a key, is the ID
	 * with these digits. For example, the text 12 is the ID 38 in the format
	 * <code>{base36}</code>.
	 * @param key the key
	 * @param text a 64-bit decimal number
	 * @return {@code false} if the text is another ID or no ID in this format
	 */
	boolean isDecimal(String key, String text);

	/**
	 * Makes a key begin above an ID if this process adds the key. This method has no
	 * effect on existing keys.
	 * @param key the key
	 * @param largestId the largest ID in the table of the key's entity
	 */
	void startAbove(String key, long largestId);

}
