// SPDX-License-Identifier: Apache-2.0

package io.leaf.benchmarks.startup;

import java.util.Arrays;

/**
 * What is said about several measurements of one thing.
 */
public final class Samples {

	private Samples() {
	}

	/**
	 * Returns the value in the middle.
	 * @param values some values
	 * @return their median
	 */
	public static double median(double... values) {
		return quantile(0.5, values);
	}

	/**
	 * Returns a quantile.
	 * @param part from 0 to 1
	 * @param values some values
	 * @return the value at that part of them, interpolated
	 */
	public static double quantile(double part, double... values) {
		double[] sorted = values.clone();
		Arrays.sort(sorted);
		double position = part * (sorted.length - 1);
		int below = (int) position;
		int above = Math.min(below + 1, sorted.length - 1);
		return sorted[below] + (position - below) * (sorted[above] - sorted[below]);
	}

}
