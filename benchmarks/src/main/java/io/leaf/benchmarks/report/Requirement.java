// SPDX-License-Identifier: Apache-2.0

package io.leaf.benchmarks.report;

import java.text.NumberFormat;
import java.util.List;
import java.util.Locale;

/**
 * A promise, and what was seen of it.
 *
 * @param work what is promised
 * @param threads the number of threads
 * @param bound how the limit is meant
 * @param limit the limit
 * @param unit the unit of the limit and of what was seen
 * @param seen what each round has shown; empty if it was not measured
 */
public record Requirement(String work, int threads, Bound bound, double limit, Unit unit, List<Double> seen) {

	/**
	 * Returns whether the median keeps the promise.
	 * @return whether it does, not if nothing was seen
	 */
	public boolean isMet() {
		return !this.seen.isEmpty() && this.bound.holds(Spread.of(this.seen).median(), this.limit);
	}

	/**
	 * Makes a table of promises.
	 * @param requirements the promises, one a row
	 */
	static Table table(List<Requirement> requirements) {
		return new Table("requirements", List.of("work", "threads", "required", "median", "spread", "met"),
				requirements.stream().map(Requirement::row).toList());
	}

	private List<String> row() {
		String required = this.bound.words + " " + NumberFormat.getInstance(Locale.ROOT).format(this.limit)
				+ this.unit.symbol;
		if (this.seen.isEmpty()) {
			return List.of(this.work, Integer.toString(this.threads), required, "not measured", "", "");
		}
		Spread spread = Spread.of(this.seen);
		return List.of(this.work, Integer.toString(this.threads), required, this.unit.write(spread.median()),
				spread.ends(this.unit.decimals), isMet() ? "yes" : "**no**");
	}

	/**
	 * How a limit is meant.
	 */
	public enum Bound {

		AT_LEAST("at least"), AT_MOST("at most"), LESS_THAN("less than");

		private final String words;

		Bound(String words) {
			this.words = words;
		}

		private boolean holds(double value, double limit) {
			return switch (this) {
				case AT_LEAST -> value >= limit;
				case AT_MOST -> value <= limit;
				case LESS_THAN -> value < limit;
			};
		}

	}

	/**
	 * What is counted.
	 */
	public enum Unit {

		RATIO(3, " ×"), BYTES(0, " B"), SECONDS(3, " s"), PERCENT(2, " %"), CALLS(0, "");

		private final int decimals;

		private final String symbol;

		Unit(int decimals, String symbol) {
			this.decimals = decimals;
			this.symbol = symbol;
		}

		private String write(double value) {
			return Spread.number(value, this.decimals) + this.symbol;
		}

	}

}
