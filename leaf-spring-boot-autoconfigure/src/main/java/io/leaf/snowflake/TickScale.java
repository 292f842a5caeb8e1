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

/**
 * Converts between milliseconds and ticks.
 *
 * @param epoch the time of tick 0, in milliseconds since 1970-01-01T00:00:00Z
 * @param length the length of a tick in milliseconds
 */
record TickScale(long epoch, long length) {

	/**
	 * Returns the tick that a time lies in; 0 for times before the epoch.
	 */
	long tickOf(long millis) {
		long sinceEpoch = Math.max(0, millis - this.epoch);
		// most layouts count milliseconds, and a division is slow
		return (this.length == 1) ? sinceEpoch : sinceEpoch / this.length;
	}

	/**
	 * Returns the time when a tick begins.
	 */
	long millisOf(long tick) {
		return this.epoch + tick * this.length;
	}

}
