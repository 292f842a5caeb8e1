// SPDX-License-Identifier: Apache-2.0

package io.leaf.it.faults;

import java.time.Duration;

import io.leaf.it.faults.Progress.Number;

/**
 * The calls of one mode in one slot, and the longest time in which none was served.
 */
final class CallerStream {

	private final DrawingSlot slot;

	private final IdMode mode;

	private long served;

	private long lastServedAt = System.nanoTime();

	private long longestGap;

	CallerStream(DrawingSlot slot, IdMode mode) {
		this.slot = slot;
		this.mode = mode;
	}

	DrawingSlot slot() {
		return this.slot;
	}

	IdMode mode() {
		return this.mode;
	}

	long served() {
		return this.slot.count(this.mode, Number.IDS);
	}

	long confirmed() {
		return this.slot.confirmed(this.mode);
	}

	/**
	 * Tells whether the database keeps this stream going, and not ZooKeeper.
	 */
	boolean needsDatabase() {
		return this.mode == IdMode.SEGMENT || this.slot.leases() == LeaseSource.TABLE;
	}

	/**
	 * Looks whether calls were served since it was called last.
	 */
	synchronized void sample() {
		long now = System.nanoTime();
		long count = served();
		this.longestGap = Math.max(this.longestGap, now - this.lastServedAt);
		if (count != this.served) {
			this.served = count;
			this.lastServedAt = now;
		}
	}

	/**
	 * Forgets the gaps so far, save for one that is not over.
	 */
	synchronized void forgetGaps() {
		sample();
		this.longestGap = 0;
	}

	synchronized Duration longestGap() {
		sample();
		return Duration.ofNanos(this.longestGap);
	}

	@Override
	public String toString() {
		return this.slot + " " + this.mode.name().toLowerCase();
	}

}
