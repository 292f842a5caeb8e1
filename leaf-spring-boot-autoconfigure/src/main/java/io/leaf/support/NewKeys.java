// SPDX-License-Identifier: Apache-2.0

package io.leaf.support;

/**
 * An {@link io.leaf.IdGenerator} that adds keys which do not exist yet, and begins them
 * above the IDs in the tables of their entities.
 */
public interface NewKeys {

	/**
	 * Returns whether the first ID of a key would add the key, judging from memory. If
	 * so, and if the caller knows the table, it reports the largest ID before it requests
	 * an ID.
	 * @param key the key
	 * @return whether to report the largest ID
	 */
	boolean isNew(String key);

	/**
	 * Makes a key begin above an ID if this process adds it. Has no effect on a key that
	 * exists.
	 * @param key the key
	 * @param largestId the largest ID in use
	 */
	void startAbove(String key, long largestId);

}
