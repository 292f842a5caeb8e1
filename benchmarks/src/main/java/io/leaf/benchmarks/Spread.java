// SPDX-License-Identifier: Apache-2.0

package io.leaf.benchmarks;

import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/**
 * The distribution of several measurements of the same thing.
 *
 * @param sorted the values, ascending; at least one
 */
public record Spread(List<Double> sorted) {

	/**
	 * Creates the distribution of some values.
	 * @param values the values, in any order; at least one
	 * @return their distribution
	 */
	public static Spread of(List<Double> values) {
		if (values.isEmpty()) {
			throw new IllegalArgumentException("No values");
		}
		return new Spread(values.stream().sorted().toList());
	}

	/**
	 * Divides each measurement by that of a baseline in the same round.
	 * @param values the measurement of each round, NaN if it failed
	 * @param baseline the measurement of the baseline in each round, NaN if it failed
	 * @return a ratio for each round in which both were measured
	 */
	public static List<Double> ratios(List<Double> values, List<Double> baseline) {
		return IntStream.range(0, Math.min(values.size(), baseline.size()))
			.mapToObj((round) -> values.get(round) / baseline.get(round))
			.filter((ratio) -> !ratio.isNaN())
			.toList();
	}

	/**
	 * Returns the median.
	 * @return the median; for an even number of values the mean of the two in the middle
	 */
	public double median() {
		return quantile(0.5);
	}

	/**
	 * Returns a quantile.
	 * @param part from 0 for the minimum to 1 for the maximum
	 * @return the quantile, interpolated between two values
	 */
	public double quantile(double part) {
		double position = part * (this.sorted.size() - 1);
		int below = (int) position;
		int above = Math.min(below + 1, this.sorted.size() - 1);
		return this.sorted.get(below) + (position - below) * (this.sorted.get(above) - this.sorted.get(below));
	}

	/**
	 * Returns the minimum and the maximum as text.
	 * @param decimals the number of decimals
	 * @return the text
	 */
	public String range(int decimals) {
		return format(quantile(0), decimals) + " – " + format(quantile(1), decimals);
	}

	/**
	 * Formats a number as in all tables.
	 * @param value the number
	 * @param decimals the number of decimals
	 * @return the text
	 */
	public static String format(double value, int decimals) {
		return String.format(Locale.ROOT, "%,." + decimals + "f", value);
	}

}
