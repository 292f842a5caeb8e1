// SPDX-License-Identifier: Apache-2.0

package io.leaf.snowflake;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

import io.leaf.ManualScheduler;

/**
 * A wall clock and a monotonic clock that stand still until a test advances them. The
 * wall clock advances with the monotonic clock, and can also be set separately.
 */
public final class ManualTime implements InstantSource {

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
	 * Returns the time of an undisturbed clock.
	 */
	public long trueMillis() {
		return START.plusNanos(this.scheduler.nanoTime()).toEpochMilli();
	}

	@Override
	public Instant instant() {
		return START.plusNanos(this.scheduler.nanoTime()).plus(this.offset);
	}

}
