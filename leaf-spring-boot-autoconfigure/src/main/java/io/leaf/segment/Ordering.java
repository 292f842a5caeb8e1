// SPDX-License-Identifier: Apache-2.0

package io.leaf.segment;

/**
 * In which order the IDs of a key are issued within a process.
 */
public enum Ordering {

	/**
	 * Each ID is larger than all that were issued before it.
	 */
	STRICT,

	/**
	 * Threads draw from short runs of their own. That is faster where several threads
	 * draw at the same time; the IDs ascend by trend only.
	 */
	STRIPED

}
