// SPDX-License-Identifier: Apache-2.0

package io.leaf.snowflake;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

import io.leaf.ManualScheduler;

/**
 * A wall clock and a monotonic clock that stand still until a test moves them. The wall
 * clock goes with the monotonic clock, and can be set besides.
 */
public final class ManualTime implements InstantSource {

	/**
	 * What the wall clock shows at first.
	 */
	public static final Instant START = Instant.parse("2026-11-20T12:00:00Z");

	private final ManualScheduler scheduler;

	private Duration offset = Duration.ZERO;

	public ManualTime(ManualScheduler scheduler) {
		this.scheduler = scheduler;
	}

	/**
	 * Sets the wall clock forward, or back.
	 */
	public void step(Duration step) {
		this.offset = this.offset.plus(step);
	}

	/**
	 * Returns what an undisturbed clock shows.
	 */
	public long trueMillis() {
		return START.plusNanos(this.scheduler.nanoTime()).toEpochMilli();
	}

	@Override
	public Instant instant() {
		return START.plusNanos(this.scheduler.nanoTime()).plus(this.offset);
	}

}
