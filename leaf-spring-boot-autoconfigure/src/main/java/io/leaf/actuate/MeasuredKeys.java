// SPDX-License-Identifier: Apache-2.0

package io.leaf.actuate;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import io.leaf.segment.SegmentIdGenerator;
import io.leaf.segment.SegmentStatus;
import io.micrometer.core.instrument.Clock;
import org.jspecify.annotations.Nullable;

/**
 * The keys that one set of meters is about, looked at when the meters are read.
 */
final class MeasuredKeys {

	/**
	 * For how long the sum over several keys is used again: all meters of a scrape need
	 * it, and a table may have a hundred thousand keys.
	 */
	private static final long REUSE = TimeUnit.SECONDS.toNanos(1);

	private final SegmentIdGenerator generator;

	private final Clock clock;

	private final Set<String> keys = ConcurrentHashMap.newKeySet();

	// In striped order the numbers that threads have taken are counted apart from the
	// cursor, and the difference may go back by a few. A counter must not.
	private final AtomicLong mostIssued = new AtomicLong();

	private final IssueRate rate;

	private volatile @Nullable Sample last;

	MeasuredKeys(SegmentIdGenerator generator, Clock clock) {
		this.generator = generator;
		this.clock = clock;
		this.rate = new IssueRate(clock.monotonicTime(), 0);
	}

	void add(String key) {
		this.keys.add(key);
	}

	SegmentMeasures measures() {
		return sample().measures();
	}

	private Sample sample() {
		long now = this.clock.monotonicTime();
		Sample last = this.last;
		if (last != null && now - last.nanos() < REUSE && this.keys.size() > 1) {
			return last;
		}
		Sample sample = new Sample(now, sum());
		this.last = sample;
		return sample;
	}

	private SegmentMeasures sum() {
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
		Sample sample = sample();
		SegmentMeasures measures = sample.measures();
		return this.rate.secondsLeft(sample.nanos(), measures.numbers().issued(), measures.remaining());
	}

	/**
	 * What was measured at one moment.
	 */
	private record Sample(long nanos, SegmentMeasures measures) {

	}

}
