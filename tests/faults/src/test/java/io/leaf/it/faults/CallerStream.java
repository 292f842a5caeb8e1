// SPDX-License-Identifier: Apache-2.0

package io.leaf.it.faults;

import java.time.Duration;

import io.leaf.it.faults.Progress.Number;

/**
 * The calls of one mode in one slot, and the longest time in which no call was served.
 */
final class CallerStream {

	private final DrawingSlot slot;

	private final IdMode mode;

	private long served;

	private long lastServedAt = System.nanoTime();

	private long longestGap;

	private long confirmed;

	private long lastConfirmedAt = System.nanoTime();

	private long longestStoreGap;

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
	 * Returns whether this stream depends on the database, and not on ZooKeeper.
	 */
	boolean needsDatabase() {
		return this.mode == IdMode.SEGMENT || this.slot.leases() == LeaseSource.TABLE;
	}

	/**
	 * Checks whether calls were served, and the store has provided something new, since
	 * the last check.
	 */
	synchronized void sample() {
		long now = System.nanoTime();
		long count = served();
		this.longestGap = Math.max(this.longestGap, now - this.lastServedAt);
		if (count != this.served) {
			this.served = count;
			this.lastServedAt = now;
		}
		long confirmed = confirmed();
		this.longestStoreGap = Math.max(this.longestStoreGap, now - this.lastConfirmedAt);
		if (confirmed != this.confirmed) {
			this.confirmed = confirmed;
			this.lastConfirmedAt = now;
		}
	}

	/**
	 * Resets the gaps so far, except one that has not ended.
	 */
	synchronized void forgetGaps() {
		sample();
		this.longestGap = 0;
		this.longestStoreGap = 0;
	}

	synchronized Duration longestGap() {
		sample();
		return Duration.ofNanos(this.longestGap);
	}

	/**
	 * Returns the longest time in which the store has provided nothing new.
	 */
	synchronized Duration longestStoreGap() {
		sample();
		return Duration.ofNanos(this.longestStoreGap);
	}

	@Override
	public String toString() {
		return this.slot + " " + this.mode.name().toLowerCase();
	}

}
