// SPDX-License-Identifier: Apache-2.0

package io.leaf.support;

/**
 * An {@link io.leaf.IdGenerator} that can add keys that do not exist yet, and begins such
 * keys above the IDs in the tables of their entities.
 */
public interface NewKeys {

	/**
	 * Returns whether a request for an ID of the key would probably add the key. The
	 * result depends only on the memory of this process, so another process may already
	 * have added the key. If the result is {@code true}, a caller that knows the table of
	 * the entity calls {@link #startAbove} with the largest ID before the caller requests
	 * an ID.
	 * @param key the key
	 * @return whether to report the largest ID
	 */
	boolean isNew(String key);

	/**
	 * Makes a key begin above an ID if this process adds the key. This method has no
	 * effect on existing keys.
	 * @param key the key
	 * @param largestId the largest ID in use
	 */
	void startAbove(String key, long largestId);

}
