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

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

import io.leaf.segment.SegmentIdGenerator;
import io.leaf.segment.SegmentStatus;
import io.micrometer.core.instrument.Clock;

/**
 * The keys that one set of meters is about, looked at when the meters are read.
 */
final class MeasuredKeys {

	private final SegmentIdGenerator generator;

	private final Clock clock;

	private final Set<String> keys = ConcurrentHashMap.newKeySet();

	// In striped order the numbers that threads have taken are counted apart from the
	// cursor, and the difference may go back by a few. A counter must not.
	private final AtomicLong mostIssued = new AtomicLong();

	private final IssueRate rate;

	MeasuredKeys(SegmentIdGenerator generator, Clock clock) {
		this.generator = generator;
		this.clock = clock;
		this.rate = new IssueRate(clock.monotonicTime(), 0);
	}

	void add(String key) {
		this.keys.add(key);
	}

	SegmentMeasures measures() {
		SegmentMeasures sum = SegmentMeasures.NONE;
		for (String key : this.keys) {
			SegmentStatus status = this.generator.lastStatus(key);
			if (status != null) {
				sum = sum.plus(SegmentMeasures.of(status));
			}
		}
		return sum;
	}

	long issued() {
		return this.mostIssued.accumulateAndGet(measures().numbers().issued(), Math::max);
	}

	double secondsLeft() {
		SegmentMeasures measures = measures();
		return this.rate.secondsLeft(this.clock.monotonicTime(), measures.numbers().issued(), measures.remaining());
	}

}
