// SPDX-License-Identifier: Apache-2.0

package io.leaf.benchmarks.report;

import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/**
 * The middle and the ends of what several rounds have measured.
 *
 * @param median the middle, or the mean of the two in the middle
 * @param min the least
 * @param max the most
 */
public record Spread(double median, double min, double max) {

	/**
	 * Returns the spread of some values.
	 * @param values the values, one at least
	 * @return their spread
	 */
	public static Spread of(List<Double> values) {
		if (values.isEmpty()) {
			throw new IllegalArgumentException("There is no spread of nothing");
		}
		double[] sorted = values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
		int middle = sorted.length / 2;
		double median = (sorted.length % 2 == 1) ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
		return new Spread(median, sorted[0], sorted[sorted.length - 1]);
	}

	/**
	 * Divides what was measured by what a baseline yielded in the same round.
	 * @param values what each round measured, NaN where it failed
	 * @param baseline what each round measured of the baseline, NaN where it failed
	 * @return a ratio for each round that both have taken part in
	 */
	public static List<Double> ratios(List<Double> values, List<Double> baseline) {
		return IntStream.range(0, Math.min(values.size(), baseline.size()))
			.mapToObj((round) -> values.get(round) / baseline.get(round))
			.filter((ratio) -> !ratio.isNaN())
			.toList();
	}

	/**
	 * Returns the ends, for the page.
	 * @param decimals how many decimals
	 * @return the ends
	 */
	public String ends(int decimals) {
		return number(this.min, decimals) + " – " + number(this.max, decimals);
	}

	/**
	 * Writes a number as it stands on the page.
	 * @param value the number
	 * @param decimals how many decimals
	 * @return the text
	 */
	public static String number(double value, int decimals) {
		return String.format(Locale.ROOT, "%,." + decimals + "f", value);
	}

}
