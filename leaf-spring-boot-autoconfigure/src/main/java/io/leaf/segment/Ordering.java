// SPDX-License-Identifier: Apache-2.0

package io.leaf.segment;

/**
 * The order in which the IDs of a key are issued.
 */
public enum Ordering {

	/**
	 * Each ID is larger than all IDs of the key that the process issued before.
	 */
	STRICT,

	/**
	 * Each thread draws from a short run of numbers of its own. That is faster if several
	 * threads draw at the same time; the IDs ascend only approximately.
	 */
	STRIPED,

	/**
	 * If a call returns before another one begins, in the same process or in a different
	 * one, the first call gets the smaller ID. No numbers are skipped, unless a call
	 * fails or gives up, or the counter is raised after a failover. Each call waits for
	 * the store. All processes that issue IDs of the key must use this ordering, and the
	 * store must not lose what it has confirmed.
	 */
	GLOBAL

}
