// SPDX-License-Identifier: Apache-2.0

package io.leaf.benchmarks.allocation;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

import io.leaf.benchmarks.allocation.Allocator.Calls;
import io.leaf.benchmarks.report.Requirement;
import io.leaf.benchmarks.report.Requirement.Bound;
import io.leaf.benchmarks.report.Requirement.Unit;
import io.leaf.benchmarks.report.Spread;

/**
 * What a number of allocators took from one row of a database, in each of the ways.
 */
final class Cell {

	/**
	 * The headings of {@link #row}.
	 */
	static final List<String> COLUMNS = List.of("database", "round trip, ms", "allocators",
			"deployed Leaf's transaction, per second", "library, per second", "bare statement, per second",
			"library against deployed Leaf", "spread", "library against bare statement", "failed calls of the three",
			"blocks compared", "found");

	private final String database;

	private final Duration distance;

	private final int allocators;

	private final Map<Way, List<Double>> rates = new EnumMap<>(Way.class);

	private final Map<Way, Long> failed = new EnumMap<>(Way.class);

	private final List<Block> blocks = new ArrayList<>();

	/**
	 * Creates a cell without figures.
	 * @param database the name of the product, then its version
	 * @param distance how long an answer takes in addition
	 * @param allocators how many there are
	 */
	Cell(String database, Duration distance, int allocators) {
		this.database = database;
		this.distance = distance;
		this.allocators = allocators;
		for (Way way : Way.values()) {
			this.rates.put(way, new ArrayList<>());
			this.failed.put(way, 0L);
		}
	}

	int allocators() {
		return this.allocators;
	}

	/**
	 * Adds what a round has shown.
	 * @param way how blocks were taken
	 * @param calls what has become of the calls
	 * @param time for how long they were counted
	 */
	void add(Way way, Calls calls, Duration time) {
		rates(way).add(calls.counted() / (time.toNanos() / 1e9));
		this.failed.merge(way, calls.failed(), Long::sum);
		this.blocks.addAll(calls.blocks());
	}

	private List<Double> rates(Way way) {
		return this.rates.getOrDefault(way, List.of());
	}

	long failed(Way way) {
		return this.failed.getOrDefault(way, 0L);
	}

	/**
	 * Returns what it is about, for people.
	 */
	String title() {
		String name = this.database.substring(0, this.database.indexOf(' '));
		return this.distance.isZero() ? name : "%s, %d ms away".formatted(name, this.distance.toMillis());
	}

	/**
	 * Returns the figures as they stand on the page.
	 * @param roundTripMillis how long an answer takes, as measured
	 * @throws IllegalStateException if a number was taken twice
	 */
	List<String> row(double roundTripMillis) {
		Spread ratio = Spread.of(ratios(Way.DEPLOYED_LEAF));
		return List.of(this.database, Spread.number(roundTripMillis, 1), Integer.toString(this.allocators),
				rate(Way.DEPLOYED_LEAF), rate(Way.LIBRARY), rate(Way.STATEMENT), Spread.number(ratio.median(), 2),
				ratio.ends(2), Spread.number(Spread.of(ratios(Way.STATEMENT)).median(), 2),
				String.join(", ", Arrays.stream(Way.values()).map((way) -> Spread.number(failed(way), 0)).toList()),
				Spread.number(this.blocks.size(), 0), Block.check(this.blocks));
	}

	private String rate(Way way) {
		return Spread.number(Spread.of(rates(way)).median(), 0);
	}

	private List<Double> ratios(Way baseline) {
		return Spread.ratios(rates(Way.LIBRARY), rates(baseline));
	}

	/**
	 * Returns what is required of the library's rate. With two hundred allocators the
	 * server is busy with the queue for the row, whatever is sent to it.
	 */
	Requirement requirement() {
		return new Requirement("allocation against deployed Leaf's transaction, " + title(), this.allocators,
				Bound.AT_LEAST, (this.allocators < 200) ? 1.3 : 1, Unit.RATIO, ratios(Way.DEPLOYED_LEAF));
	}

}
