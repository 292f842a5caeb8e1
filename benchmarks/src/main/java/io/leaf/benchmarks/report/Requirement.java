// SPDX-License-Identifier: Apache-2.0

package io.leaf.benchmarks.report;

import java.text.NumberFormat;
import java.util.List;
import java.util.Locale;

import io.leaf.benchmarks.Spread;

/**
 * A limit for a result, and the results of each round.
 *
 * @param work what is measured
 * @param threads the number of threads
 * @param bound whether the limit is a minimum or a maximum
 * @param limit the limit
 * @param unit the unit of the limit and of the results
 * @param results the result of each round; empty if there is none
 */
public record Requirement(String work, int threads, Bound bound, double limit, Unit unit, List<Double> results) {

	/**
	 * Returns whether the median of the rounds meets the requirement.
	 * @return whether it does; {@code false} if there is no result
	 */
	public boolean isMet() {
		return !this.results.isEmpty() && this.bound.holds(Spread.of(this.results).median(), this.limit);
	}

	/**
	 * Creates the table of requirements.
	 * @param requirements the requirements, one per row
	 * @return the table
	 */
	public static Table table(List<Requirement> requirements) {
		return new Table("requirements", List.of("work", "threads", "required", "median", "spread", "met"),
				requirements.stream().map(Requirement::row).toList());
	}

	private List<String> row() {
		String required = this.bound.words + " " + NumberFormat.getInstance(Locale.ROOT).format(this.limit)
				+ this.unit.symbol;
		if (this.results.isEmpty()) {
			return List.of(this.work, Integer.toString(this.threads), required, "not measured", "", "");
		}
		Spread spread = Spread.of(this.results);
		return List.of(this.work, Integer.toString(this.threads), required,
				Spread.format(spread.median(), this.unit.decimals) + this.unit.symbol, spread.range(this.unit.decimals),
				isMet() ? "yes" : "**no**");
	}

	/**
	 * Whether a limit is a minimum or a maximum.
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
	 * The unit of a result.
	 */
	public enum Unit {

		RATIO(3, " ×"), BYTES(0, " B"), SECONDS(3, " s"), PERCENT(2, " %"), CALLS(0, "");

		private final int decimals;

		private final String symbol;

		Unit(int decimals, String symbol) {
			this.decimals = decimals;
			this.symbol = symbol;
		}

	}

}
