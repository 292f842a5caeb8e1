// SPDX-License-Identifier: Apache-2.0

package io.leaf.simulation;

import java.util.Arrays;

/**
 * A set of non-negative numbers, which does not create an object for each number.
 */
final class LongSet {

	private long[] table = new long[512];

	private int size;

	LongSet() {
		Arrays.fill(this.table, -1);
	}

	/**
	 * Adds a number.
	 * @return whether it was not in the set
	 */
	boolean add(long number) {
		if (this.size * 2 >= this.table.length) {
			grow();
		}
		int slot = slot(this.table, number);
		if (this.table[slot] == number) {
			return false;
		}
		this.table[slot] = number;
		this.size++;
		return true;
	}

	int size() {
		return this.size;
	}

	private void grow() {
		long[] larger = new long[this.table.length * 2];
		Arrays.fill(larger, -1);
		for (long number : this.table) {
			if (number >= 0) {
				larger[slot(larger, number)] = number;
			}
		}
		this.table = larger;
	}

	private static int slot(long[] table, long number) {
		int slot = (int) ((number * 0x9e3779b97f4a7c15L) >>> 32) & (table.length - 1);
		while (table[slot] >= 0 && table[slot] != number) {
			slot = (slot + 1) & (table.length - 1);
		}
		return slot;
	}

}
