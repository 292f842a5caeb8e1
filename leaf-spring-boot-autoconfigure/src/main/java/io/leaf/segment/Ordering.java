// SPDX-License-Identifier: Apache-2.0

package io.leaf.segment;

/**
 * The order in which the IDs of a key are issued within a process.
 */
public enum Ordering {

	/**
	 * Each ID is larger than all that were issued before it.
	 */
	STRICT,

	/**
	 * Each thread draws from a short run of numbers of its own. That is faster if several
	 * threads draw at the same time; the IDs ascend by trend only.
	 */
	STRIPED

}
