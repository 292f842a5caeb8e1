// SPDX-License-Identifier: Apache-2.0

package io.leaf.snowflake;

/**
 * Converts between milliseconds and ticks.
 *
 * @param epoch the time of tick 0, in milliseconds since 1970-01-01T00:00:00Z
 * @param length the length of a tick in milliseconds
 */
record TickScale(long epoch, long length) {

	/**
	 * Returns the tick of a time; 0 for times before the epoch.
	 */
	long tickOf(long millis) {
		long sinceEpoch = Math.max(0, millis - this.epoch);
		// avoids a division, which is slow, for layouts with ticks of one millisecond
		return (this.length == 1) ? sinceEpoch : sinceEpoch / this.length;
	}

	/**
	 * Returns the time when a tick begins.
	 */
	long millisOf(long tick) {
		return this.epoch + tick * this.length;
	}

}
