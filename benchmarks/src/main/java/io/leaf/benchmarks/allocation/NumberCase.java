// SPDX-License-Identifier: Apache-2.0

package io.leaf.benchmarks.allocation;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

import io.leaf.benchmarks.Spread;
import io.leaf.benchmarks.report.Requirement;
import io.leaf.benchmarks.report.Requirement.Bound;
import io.leaf.benchmarks.report.Requirement.Unit;
import org.HdrHistogram.Histogram;

/**
 * The numbers that several callers drew at the same time from each source of a database,
 * and how long their calls took.
 */
final class NumberCase {

	/**
	 * The headings of {@link #rows}.
	 */
	static final List<String> COLUMNS = List.of("database", "callers", "source", "numbers per second", "spread",
			"against Meituan's Leaf", "spread", "median latency, ms", "spread", "p99 latency, ms", "spread",
			"numbers compared", "found");

	private static final double NANOS_PER_MILLI = 1e6;

	private final String database;

	private final int callers;

	private final Map<NumberSource, Results> results = new EnumMap<>(NumberSource.class);

	/**
	 * Creates a case without results.
	 * @param database the name of the product, then its version
	 * @param callers the number of callers
	 */
	NumberCase(String database, int callers) {
		this.database = database;
		this.callers = callers;
	}

	/**
	 * Checks that numbers continue the previously checked ones without a gap. The first
	 * number of a source must be 1.
	 * @param source the source of the numbers
	 * @param numbers all numbers drawn since then, in any order
	 * @throws IllegalStateException if a number is missing or was drawn twice
	 */
	void check(NumberSource source, long[] numbers) {
		long[] sorted = numbers.clone();
		Arrays.sort(sorted);
		Results results = results(source);
		for (long number : sorted) {
			if (number != results.compared + 1) {
				throw new IllegalStateException("%s, %d callers: number %d follows number %d".formatted(source,
						this.callers, number, results.compared));
			}
			results.compared++;
		}
	}

	/**
	 * Adds the result of a round.
	 * @param source the source of the numbers
	 * @param latencies the duration of each call in nanoseconds
	 * @param time how long calls were counted
	 */
	void add(NumberSource source, Histogram latencies, Duration time) {
		results(source).rounds.add(new Round(latencies.getTotalCount() / (time.toNanos() / 1e9),
				latencies.getValueAtPercentile(50) / NANOS_PER_MILLI,
				latencies.getValueAtPercentile(99) / NANOS_PER_MILLI));
	}

	private Results results(NumberSource source) {
		return this.results.computeIfAbsent(source, (key) -> new Results());
	}

	/**
	 * Returns the results as rows of the table, one per source.
	 */
	List<List<String>> rows() {
		return Arrays.stream(NumberSource.values()).map(this::row).toList();
	}

	private List<String> row(NumberSource source) {
		Spread rate = Spread.of(values(source, Round::perSecond));
		Spread ratio = Spread.of(ratios(source));
		Spread median = Spread.of(values(source, Round::medianMillis));
		Spread p99 = Spread.of(values(source, Round::p99Millis));
		return List.of(this.database, Integer.toString(this.callers), source.title(), Spread.format(rate.median(), 0),
				rate.range(0), Spread.format(ratio.median(), 2), ratio.range(2), Spread.format(median.median(), 2),
				median.range(2), Spread.format(p99.median(), 2), p99.range(2),
				Spread.format(results(source).compared, 0), "no gap, no duplicate");
	}

	private List<Double> ratios(NumberSource source) {
		return Spread.ratios(values(source, Round::perSecond), values(NumberSource.MEITUAN_LEAF, Round::perSecond));
	}

	private List<Double> values(NumberSource source, ToDoubleFunction<Round> value) {
		return results(source).rounds.stream().map(value::applyAsDouble).toList();
	}

	/**
	 * Returns the requirement for the rate of the library.
	 */
	Requirement requirement() {
		return new Requirement(
				"numbers per second with `global` ordering compared with the [transaction of Meituan's Leaf](#segments-per-second) with step 1, "
						+ this.database.substring(0, this.database.indexOf(' ')),
				this.callers, Bound.AT_LEAST, 4, Unit.RATIO, ratios(NumberSource.GLOBAL_KEY));
	}

	/**
	 * The results of one source.
	 */
	private static final class Results {

		private final List<Round> rounds = new ArrayList<>();

		private long compared;

	}

	/**
	 * The result of a round.
	 *
	 * @param perSecond the numbers per second
	 * @param medianMillis the median duration of a call
	 * @param p99Millis the duration of a call that 1 % of the calls exceeded
	 */
	private record Round(double perSecond, double medianMillis, double p99Millis) {

	}

}
