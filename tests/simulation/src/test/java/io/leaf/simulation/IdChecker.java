// SPDX-License-Identifier: Apache-2.0

package io.leaf.simulation;

import java.util.Arrays;

import org.jspecify.annotations.Nullable;

/**
 * Checks the IDs that one process draws.
 */
abstract class IdChecker {

	private final Process process;

	private final @Nullable Order order;

	/**
	 * Creates a checker.
	 * @param order the order in which IDs must ascend, or {@code null} if they need not
	 * ascend. Each ID must be larger than all IDs of this order that had been returned
	 * when the call began
	 */
	IdChecker(Process process, @Nullable Order order) {
		this.process = process;
		this.order = order;
	}

	/**
	 * Records that a call begins.
	 */
	final Call begin() {
		Order order = (this.order != null) ? this.order : new Order();
		return new Call(order.last, order.restarts, this.process.world().now());
	}

	/**
	 * Checks the IDs that a call has returned.
	 * @param begun what {@link #begin()} returned when the call began
	 */
	final void end(Call begun, long... ids) {
		if (this.process.world().trace().isKept()) {
			this.process.trace("draws " + Arrays.toString(ids));
		}
		boolean ascends = this.order != null && this.order.restarts == begun.restarts;
		long before = begun.last;
		for (long id : ids) {
			if (ascends) {
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
	 * Returns whether no ID is left at present, so that calls may fail.
	 */
	boolean isExhausted() {
		return false;
	}

	final void violated(long id, String how) {
		this.process.world().violated("%s drew %d, which %s".formatted(this.process.name(), id, how));
	}

	/**
	 * Checks that an ID is new, and that it keeps the other guarantees.
	 * @param callStart when the call that drew the ID began
	 */
	abstract void check(long id, long callStart);

	/**
	 * The largest ID that the calls of this order have returned.
	 */
	static final class Order {

		private long last = -1;

		private int restarts;

		/**
		 * Allows the calls that begin from now on to return smaller IDs.
		 */
		void restart() {
			this.last = -1;
			this.restarts++;
		}

	}

	/**
	 * The beginning of a call.
	 *
	 * @param last the largest ID that earlier calls have returned
	 * @param restarts how often the order had been restarted
	 * @param time the time, in true nanoseconds
	 */
	record Call(long last, int restarts, long time) {

	}

}
