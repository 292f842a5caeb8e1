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
