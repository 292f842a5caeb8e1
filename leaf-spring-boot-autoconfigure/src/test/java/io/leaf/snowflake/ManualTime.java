/*
 * Copyright 2026 the Leaf project authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *      https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */

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
