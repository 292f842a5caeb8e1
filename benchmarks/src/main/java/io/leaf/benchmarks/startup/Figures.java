// SPDX-License-Identifier: Apache-2.0

package io.leaf.benchmarks.startup;

import java.util.Map;

/**
 * The figures that an application has reported.
 *
 * @param values the figures by name
 */
public record Figures(Map<String, Double> values) {

	/**
	 * Returns a figure.
	 * @param name the name
	 * @return the value
	 * @throws IllegalStateException if it was not reported
	 */
	public double get(String name) {
		Double value = this.values.get(name);
		if (value == null) {
			throw new IllegalStateException("The figure '%s' is missing in %s".formatted(name, this.values));
		}
		return value;
	}

	/**
	 * Returns a count.
	 * @param name the name
	 * @return the value, or 0 if it was not reported
	 */
	public double count(String name) {
		Double value = this.values.get(name);
		return (value != null) ? value : 0;
	}

}
