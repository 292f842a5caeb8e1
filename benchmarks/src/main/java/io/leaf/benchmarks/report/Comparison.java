// SPDX-License-Identifier: Apache-2.0

package io.leaf.benchmarks.report;

import java.util.List;
import java.util.Map;

/**
 * A ratio that is promised.
 *
 * @param work what is compared with what
 * @param subject whose IDs a second are divided
 * @param baseline by whose
 * @param atLeast the least ratio, by the number of threads
 */
record Comparison(String work, Subject subject, Subject baseline, Map<Integer, Double> atLeast) {

	/**
	 * All that JMH is to show.
	 */
	static final List<Comparison> ALL = List.of(
			new Comparison("strict against `AtomicLong`", Subject.STRICT, Subject.ATOMIC_LONG, always(0.95)),
			new Comparison("strict by key, 50 keys, against `AtomicLong`", Subject.STRICT_BY_KEY, Subject.ATOMIC_LONG,
					always(0.85)),
			new Comparison("strict against CosId's `SegmentChainId`", Subject.STRICT, Subject.COSID_CHAIN,
					Map.of(1, 1.15, 2, 1.3)),
			new Comparison("striped against `AtomicLong`", Subject.STRIPED, Subject.ATOMIC_LONG, Map.of(2, 2.3)),
			new Comparison("`nextIds(1000)`, per ID, against `AtomicLong`", Subject.STRICT_BATCH, Subject.ATOMIC_LONG,
					always(20)),
			new Comparison("snowflake burst, one lane, against the clock", Subject.BURST_1, Subject.CLOCK,
					Map.of(1, 0.75, 2, 0.45)),
			new Comparison("snowflake burst, two lanes, against the clock", Subject.BURST_2, Subject.CLOCK,
					Map.of(2, 0.75)));

	private static Map<Integer, Double> always(double ratio) {
		return Map.of(1, ratio, 2, ratio, 8, ratio);
	}

}
