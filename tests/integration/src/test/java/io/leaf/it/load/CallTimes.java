// SPDX-License-Identifier: Apache-2.0

package io.leaf.it.load;

/**
 * What calls took. For one thread.
 */
final class CallTimes {

	private static final long SLOW_NANOS = 10_000_000;

	private long calls;

	private long failures;

	private long slow;

	private long longest;

	private long longestPause;

	/**
	 * Notes a call.
	 * @param nanos how long it took
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
	 * Notes that a call has ended with an exception of the library.
	 */
	void failure() {
		this.failures++;
	}

	/**
	 * Notes what something else took than a call.
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
