// SPDX-License-Identifier: Apache-2.0

package io.leaf.benchmarks.allocation;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

import io.leaf.benchmarks.Spread;
import io.leaf.benchmarks.allocation.Allocator.Calls;
import io.leaf.benchmarks.report.Requirement;
import io.leaf.benchmarks.report.Requirement.Bound;
import io.leaf.benchmarks.report.Requirement.Unit;

/**
 * The rates at which several allocators at the same time allocated segments from one row
 * of a database: one rate per method and round.
 */
final class AllocationCase {

	/**
	 * The headings of {@link #row}.
	 */
	static final List<String> COLUMNS = List.of("database", "round trip, ms", "allocators",
			"transaction of Meituan's Leaf, per second", "library, per second", "bare statement, per second",
			"library against Meituan's Leaf", "spread", "library against bare statement", "failed calls of the three",
			"segments compared", "found");

	private final String database;

	private final Duration addedRoundTrip;

	private final int allocators;

	private final Map<AllocationMethod, List<Double>> rates = new EnumMap<>(AllocationMethod.class);

	private final Map<AllocationMethod, Long> failed = new EnumMap<>(AllocationMethod.class);

	private final List<AllocatedSegment> segments = new ArrayList<>();

	/**
	 * Creates a case without results.
	 * @param database the name of the product, then its version
	 * @param addedRoundTrip the time that the proxy adds to a round trip
	 * @param allocators the number of allocators
	 */
	AllocationCase(String database, Duration addedRoundTrip, int allocators) {
		this.database = database;
		this.addedRoundTrip = addedRoundTrip;
		this.allocators = allocators;
		for (AllocationMethod method : AllocationMethod.values()) {
			this.rates.put(method, new ArrayList<>());
			this.failed.put(method, 0L);
		}
	}

	int allocators() {
		return this.allocators;
	}

	/**
	 * Adds the result of a round.
	 * @param method the method of allocation
	 * @param calls the outcome of the calls
	 * @param time how long calls were counted
	 */
	void add(AllocationMethod method, Calls calls, Duration time) {
		rates(method).add(calls.counted() / (time.toNanos() / 1e9));
		this.failed.merge(method, calls.failed(), Long::sum);
		this.segments.addAll(calls.segments());
	}

	private List<Double> rates(AllocationMethod method) {
		return this.rates.getOrDefault(method, List.of());
	}

	long failed(AllocationMethod method) {
		return this.failed.getOrDefault(method, 0L);
	}

	/**
	 * Returns the name of the database with the added round trip, for the tables.
	 */
	String title() {
		String name = this.database.substring(0, this.database.indexOf(' '));
		return this.addedRoundTrip.isZero() ? name
				: "%s, %d ms added to each round trip".formatted(name, this.addedRoundTrip.toMillis());
	}

	/**
	 * Returns the results as a row of the table.
	 * @param roundTripMillis the measured duration of a round trip
	 * @throws IllegalStateException if a number was allocated twice
	 */
	List<String> row(double roundTripMillis) {
		Spread ratio = Spread.of(ratios(AllocationMethod.MEITUAN_LEAF));
		return List.of(this.database, Spread.format(roundTripMillis, 1), Integer.toString(this.allocators),
				rate(AllocationMethod.MEITUAN_LEAF), rate(AllocationMethod.LIBRARY), rate(AllocationMethod.STATEMENT),
				Spread.format(ratio.median(), 2), ratio.range(2),
				Spread.format(Spread.of(ratios(AllocationMethod.STATEMENT)).median(), 2),
				String.join(", ",
						Arrays.stream(AllocationMethod.values())
							.map((method) -> Spread.format(failed(method), 0))
							.toList()),
				Spread.format(this.segments.size(), 0), AllocatedSegment.check(this.segments));
	}

	private String rate(AllocationMethod method) {
		return Spread.format(Spread.of(rates(method)).median(), 0);
	}

	private List<Double> ratios(AllocationMethod baseline) {
		return Spread.ratios(rates(AllocationMethod.LIBRARY), rates(baseline));
	}

	/**
	 * Returns the requirement for the library's rate. With 200 allocators the server
	 * spends its time on the queue for the row, whatever statements it receives.
	 */
	Requirement requirement() {
		return new Requirement(
				"segments per second compared with the [transaction of Meituan's Leaf](#segments-per-second), "
						+ title(),
				this.allocators, Bound.AT_LEAST, (this.allocators < 200) ? 1.3 : 1, Unit.RATIO,
				ratios(AllocationMethod.MEITUAN_LEAF));
	}

}
