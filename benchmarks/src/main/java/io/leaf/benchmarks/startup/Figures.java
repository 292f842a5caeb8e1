/*
 * Copyright 2026 the Leaf project authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *      https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */

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
