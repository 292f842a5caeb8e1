// SPDX-License-Identifier: Apache-2.0

package io.leaf.actuate;

import io.leaf.segment.SegmentStatus;
import io.leaf.segment.SegmentStatus.Current;
import io.leaf.segment.SegmentStatus.Numbers;
import io.leaf.segment.SegmentStatus.Range;

/**
 * What is measured of one key, or of several together.
 *
 * @param numbers what has become of the numbers fetched
 * @param remaining how many numbers can be issued without a fetch
 * @param fetches how many segments have been fetched
 * @param failures how many attempts to fetch one have failed
 * @param waits how many calls had to wait
 * @param waitedNanos how long they have waited
 */
record SegmentMeasures(Numbers numbers, long remaining, long fetches, long failures, long waits, long waitedNanos) {

	static final SegmentMeasures NONE = new SegmentMeasures(new Numbers(0, 0, 0), 0, 0, 0, 0, 0);

	static SegmentMeasures of(SegmentStatus status) {
		return new SegmentMeasures(status.numbers(), remaining(status), status.fetches(), status.failures(),
				status.waits(), status.waited().toNanos());
	}

	/**
	 * Returns how many numbers a key can issue without a fetch.
	 */
	static long remaining(SegmentStatus status) {
		Current current = status.current();
		Range next = status.next();
		return ((current != null) ? current.remaining() : 0) + ((next != null) ? next.to() - next.from() : 0);
	}

	SegmentMeasures plus(SegmentMeasures other) {
		Numbers numbers = new Numbers(this.numbers.issued() + other.numbers.issued(),
				this.numbers.givenBack() + other.numbers.givenBack(), this.numbers.lost() + other.numbers.lost());
		return new SegmentMeasures(numbers, this.remaining + other.remaining, this.fetches + other.fetches,
				this.failures + other.failures, this.waits + other.waits, this.waitedNanos + other.waitedNanos);
	}

}
