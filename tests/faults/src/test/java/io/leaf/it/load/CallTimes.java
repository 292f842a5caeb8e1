// SPDX-License-Identifier: Apache-2.0

package io.leaf.it.load;

/**
 * The durations of calls. For use by one thread.
 */
final class CallTimes {

	private static final long SLOW_NANOS = 10_000_000;

	private long calls;

	private long failures;

	private long slow;

	private long longest;

	private long longestPause;

	/**
	 * Records a call.
	 * @param nanos its duration
	 */
	void call(long nanos) {
		this.calls++;
		if (nanos > SLOW_NANOS) {
			this.slow++;
		}
		if (nanos > this.longest) {
			this.longest = nanos;
		}
	}

	/**
	 * Records that a call has ended with an exception of the library.
	 */
	void failure() {
		this.failures++;
	}

	/**
	 * Records the duration of something other than a call.
	 */
	void pause(long nanos) {
		if (nanos > this.longestPause) {
			this.longestPause = nanos;
		}
	}

	void add(CallTimes other) {
		this.calls += other.calls;
		this.failures += other.failures;
		this.slow += other.slow;
		this.longest = Math.max(this.longest, other.longest);
		this.longestPause = Math.max(this.longestPause, other.longestPause);
	}

	long calls() {
		return this.calls;
	}

	long failures() {
		return this.failures;
	}

	/**
	 * Returns how many calls took more than 10 milliseconds.
	 */
	long slow() {
		return this.slow;
	}

	long longest() {
		return this.longest;
	}

	long longestPause() {
		return this.longestPause;
	}

}
