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
	 * Makes a key begin above an ID if this process adds the key. This method has no
	 * effect on existing keys.
	 * @param key the key
	 * @param largestId the largest ID in the table of the key's entity
	 */
	void startAbove(String key, long largestId);

}
