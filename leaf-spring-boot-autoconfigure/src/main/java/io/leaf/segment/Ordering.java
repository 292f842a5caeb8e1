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
	 * Each thread draws from a short run of numbers, which it shares with few other
	 * threads. This is faster if several threads draw IDs at the same time, but the IDs
	 * ascend only approximately.
	 */
	STRIPED,

	/**
	 * If a call returns before another call begins, in the same process or in a different
	 * process, the earlier call gets the smaller ID. No numbers are skipped, unless an
	 * answer of the store is lost, a call fails or gives up, or the counter is raised
	 * after a failover. Each call waits for the store. All processes that issue IDs of
	 * the key must use this ordering, and the store must not lose allocations that it has
	 * confirmed.
	 */
	GLOBAL

}
