// SPDX-License-Identifier: Apache-2.0

package io.leaf.simulation;

import java.util.Arrays;

import org.jspecify.annotations.Nullable;

/**
 * Checks every ID that one process draws.
 */
abstract class IdChecker {

	private final Process process;

	private final @Nullable Order order;

	/**
	 * Creates a checker.
	 * @param order the calls of which each ID must be larger than all that were returned
	 * before it was requested, or {@code null} if IDs need not ascend
	 */
	IdChecker(Process process, @Nullable Order order) {
		this.process = process;
		this.order = order;
	}

	/**
	 * Records that a call begins.
	 */
	final Call begin() {
		return new Call((this.order != null) ? this.order.last : -1, this.process.world().now());
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
			if (this.order != null) {
				if (id <= before) {
					violated(id, "is not larger than " + before);
				}
				before = id;
				this.order.last = Math.max(this.order.last, id);
			}
			check(id, begun.time);
		}
	}

	/**
	 * Returns whether there is no ID at present, so that calls are right to fail.
	 */
	boolean hasNone() {
		return false;
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
	 * The largest ID that has been returned by one of several calls.
	 */
	static final class Order {

		private long last = -1;

	}

	/**
	 * The beginning of a call.
	 *
	 * @param last the largest ID that earlier calls have returned
	 * @param time the time, in true nanoseconds
	 */
	record Call(long last, long time) {

	}

}
