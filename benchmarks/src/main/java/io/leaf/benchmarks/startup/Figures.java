// SPDX-License-Identifier: Apache-2.0

package io.leaf.benchmarks.startup;

import java.util.Map;

/**
 * What an application has told.
 *
 * @param values figures by name
 */
public record Figures(Map<String, Double> values) {

	/**
	 * Returns a figure.
	 * @param name its name
	 * @return its value
	 * @throws IllegalStateException if it was not told
	 */
	public double get(String name) {
		Double value = this.values.get(name);
		if (value == null) {
			throw new IllegalStateException("No figure '%s' among %s".formatted(name, this.values));
		}
		return value;
	}

	/**
	 * Returns how many there were of something.
	 * @param name its name
	 * @return its value, or 0 if it was not told
	 */
	public double count(String name) {
		Double value = this.values.get(name);
		return (value != null) ? value : 0;
	}

}
