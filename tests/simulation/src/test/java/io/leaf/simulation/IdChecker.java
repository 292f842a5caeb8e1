// SPDX-License-Identifier: Apache-2.0

package io.leaf.simulation;

import java.util.Arrays;

/**
 * Checks every ID that one process draws.
 */
abstract class IdChecker {

	private final Process process;

	private final boolean ascending;

	private long last = -1;

	/**
	 * Creates a checker.
	 * @param ascending whether an ID must be larger than all IDs that calls have returned
	 * before it was requested
	 */
	IdChecker(Process process, boolean ascending) {
		this.process = process;
		this.ascending = ascending;
	}

	/**
	 * Records that a call begins.
	 */
	final Call begin() {
		return new Call(this.last, this.process.world().now());
	}

	/**
	 * Checks the IDs that a call has returned.
	 * @param begun the result of {@link #begin()} when it began
	 */
	final void end(Call begun, long... ids) {
		if (this.process.world().trace().isKept()) {
			this.process.trace("draws " + Arrays.toString(ids));
		}
		long before = begun.last;
		for (long id : ids) {
			if (this.ascending && id <= before) {
				violated(id, "is not larger than " + before);
			}
			before = id;
			this.last = Math.max(this.last, id);
			check(id, begun.time);
		}
	}

	final void violated(long id, String how) {
		this.process.world().violated("%s drew %d, which %s".formatted(this.process.name(), id, how));
	}

	/**
	 * Checks that an ID is new, and the further guarantees.
	 * @param asked when the call began that has drawn it
	 */
	abstract void check(long id, long asked);

	/**
	 * The beginning of a call.
	 *
	 * @param last the largest ID that earlier calls have returned
	 * @param time the time, in true nanoseconds
	 */
	record Call(long last, long time) {

	}

}
