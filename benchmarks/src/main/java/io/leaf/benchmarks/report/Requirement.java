// SPDX-License-Identifier: Apache-2.0

package io.leaf.benchmarks.report;

import java.text.NumberFormat;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;

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

	private static final String ALLOCATION = "memory that a call allocates, not counting an array that it returns: ";

	/**
	 * Creates the requirement that a call allocates no memory.
	 * @param generator what is called
	 * @param threads the number of threads
	 * @param bytes the bytes per call of each round
	 * @return the requirement
	 */
	public static Requirement noAllocation(String generator, int threads, List<Double> bytes) {
		return new Requirement(ALLOCATION + generator, threads, Bound.AT_MOST, 0, Unit.BYTES, bytes);
	}

	/**
	 * Returns whether the median of the rounds meets the requirement.
	 * @return whether it does; {@code false} if there is no result
	 */
	public boolean isMet() {
		return !this.results.isEmpty() && this.bound.holds(Spread.of(this.results).median(), this.limit);
	}

	/**
	 * Creates the table of requirements.
	 * @param requirements the requirements, one per row; calls that allocated no memory
	 * in any round share a row
	 * @return the table
	 */
	public static Table table(List<Requirement> requirements) {
		List<Requirement> zeros = requirements.stream().filter(Requirement::isZeroBytes).toList();
		List<List<String>> rows = new ArrayList<>();
		for (Requirement requirement : requirements) {
			if (zeros.size() < 2 || !zeros.contains(requirement)) {
				rows.add(requirement.row(requirement.work, Integer.toString(requirement.threads)));
			}
			else if (requirement.equals(zeros.get(0))) {
				rows.add(requirement.row(
						ALLOCATION + joined(zeros, "; ", (zero) -> zero.work.substring(ALLOCATION.length())),
						joined(zeros, ", ", (zero) -> Integer.toString(zero.threads))));
			}
		}
		return new Table("requirements", List.of("work", "threads", "required", "median", "spread", "met"), rows);
	}

	private static String joined(List<Requirement> requirements, String separator, Function<Requirement, String> text) {
		return requirements.stream().map(text).distinct().collect(Collectors.joining(separator));
	}

	private boolean isZeroBytes() {
		return this.work.startsWith(ALLOCATION) && isMet() && this.results.stream().allMatch((bytes) -> bytes == 0);
	}

	private List<String> row(String work, String threads) {
		String required = this.bound.words + " " + NumberFormat.getInstance(Locale.ROOT).format(this.limit)
				+ this.unit.symbol;
		if (this.results.isEmpty()) {
			return List.of(work, threads, required, "not measured", "", "");
		}
		Spread spread = Spread.of(this.results);
		return List.of(work, threads, required, Spread.format(spread.median(), this.unit.decimals) + this.unit.symbol,
				spread.range(this.unit.decimals), isMet() ? "yes" : "**no**");
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
