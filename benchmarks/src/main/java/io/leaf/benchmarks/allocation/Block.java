// SPDX-License-Identifier: Apache-2.0

package io.leaf.benchmarks.allocation;

import java.util.Comparator;
import java.util.List;

/**
 * Numbers taken from a row in one step.
 *
 * @param from the first number
 * @param to the end, exclusive
 */
record Block(long from, long to) {

	/**
	 * Counts the blocks that have a number in common with one that begins before them, or
	 * where they do.
	 * @param blocks the blocks, in any order
	 * @return how many there are, 0 if all are disjoint
	 */
	static long overlaps(List<Block> blocks) {
		long overlaps = 0;
		long end = Long.MIN_VALUE;
		for (Block block : blocks.stream().sorted(Comparator.comparingLong(Block::from)).toList()) {
			if (block.from < end) {
				overlaps++;
			}
			end = Math.max(end, block.to);
		}
		return overlaps;
	}

	/**
	 * Checks that no number was taken twice.
	 * @param blocks the blocks, in any order
	 * @return what the page says of it
	 * @throws IllegalStateException if one was
	 */
	static String check(List<Block> blocks) {
		long overlaps = overlaps(blocks);
		if (overlaps > 0) {
			throw new IllegalStateException(
					"%d of %d blocks overlap with another one".formatted(overlaps, blocks.size()));
		}
		return "no overlap";
	}

}
