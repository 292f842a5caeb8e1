// SPDX-License-Identifier: Apache-2.0

package io.leaf.support;

/**
 * An {@link io.leaf.IdGenerator} that adds keys which do not exist yet, and begins them
 * above the IDs that their entities' tables hold.
 */
public interface NewKeys {

	/**
	 * Returns whether a key would be added by its first ID, as far as is known in memory.
	 * If so, and the caller knows the table, it reports the largest ID before it asks for
	 * one.
	 * @param key the key
	 * @return whether to report the largest ID
	 */
	boolean isNew(String key);

	/**
	 * Has the key begin above an ID if it is added by this process. Has no effect on a
	 * key that exists.
	 * @param key the key
	 * @param largestId the largest ID in use
	 */
	void startAbove(String key, long largestId);

}
