// SPDX-License-Identifier: Apache-2.0

package io.leaf.segment;

/**
 * The order in which the IDs of a key are issued.
 */
public enum Ordering {

	/**
	 * Each ID is larger than all that the process issued before it.
	 */
	STRICT,

	/**
	 * Each thread draws from a short run of numbers of its own. That is faster if several
	 * threads draw at the same time; the IDs ascend only approximately.
	 */
	STRIPED,

	/**
	 * A call that returns before another one begins, in any process, has the smaller ID,
	 * and no numbers are skipped, except for calls that fail or give up. Each call waits
	 * for the store. All processes that issue IDs of the key must use this ordering, and
	 * the store must not lose what it has confirmed.
	 */
	GLOBAL

}
