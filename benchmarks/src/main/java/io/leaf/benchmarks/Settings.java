// SPDX-License-Identifier: Apache-2.0

package io.leaf.benchmarks;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * Which parts are measured, for how long, and how often. Each component is read from the
 * system property {@code leaf.benchmarks.<name>}, with its name in kebab case. If the
 * property is empty, the default applies.
 *
 * @param rounds how often a part is measured
 * @param threads the numbers of threads
 * @param include a regular expression for the names of the JMH benchmarks to run, which
 * are the constants of {@code Subject}
 * @param parts a regular expression for the names of the parts to run
 * @param warmup how long a JMH fork runs before it is measured
 * @param iterations how many measurements a JMH fork makes
 * @param time how long a measurement of a JMH fork takes
 * @param slice how long a generator is measured per round of {@code snowflake-sustained},
 * and a source of numbers per round of {@code database-global}
 * @param allocation how long each method of allocation is measured per round of
 * {@code database-allocation}
 * @param firstMinute how long IDs are drawn in {@code database-first-minute}
 * @param orders how many orders are inserted per round of {@code orders} with each source
 * of IDs
 */
public record Settings(int rounds, List<Integer> threads, Pattern include, Pattern parts, Duration warmup,
		int iterations, Duration time, Duration slice, Duration allocation, Duration firstMinute, int orders) {

	/**
	 * The prefix of the system properties.
	 */
	public static final String PREFIX = "leaf.benchmarks.";

	/**
	 * Reads the system properties.
	 * @return the settings
	 */
	public static Settings read() {
		return new Settings(property("rounds", "5", Integer::valueOf),
				property("threads", "1,2,8",
						(list) -> Arrays.stream(list.split(",")).map(String::strip).map(Integer::valueOf).toList()),
				property("include", ".*", Pattern::compile), property("parts", ".*", Pattern::compile),
				property("warmup", "PT1S", Duration::parse), property("iterations", "3", Integer::valueOf),
				property("time", "PT0.4S", Duration::parse), property("slice", "PT2S", Duration::parse),
				property("allocation", "PT0.4S", Duration::parse), property("first-minute", "PT60S", Duration::parse),
				property("orders", "100000", Integer::valueOf));
	}

	private static <T> T property(String name, String defaultValue, Function<String, T> converter) {
		String value = System.getProperty(PREFIX + name, "");
		return converter.apply(value.isBlank() ? defaultValue : value);
	}

}
