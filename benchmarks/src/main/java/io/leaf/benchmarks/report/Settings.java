// SPDX-License-Identifier: Apache-2.0

package io.leaf.benchmarks.report;

import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * How long and how often to measure. Each component is a system property
 * {@code leaf.benchmarks.<name>}, its name written with dashes; an empty one stands for
 * the default.
 *
 * @param rounds how often everything is measured
 * @param threads the numbers of threads to measure with
 * @param include a regular expression for the names of the {@link Subject}s to measure
 * @param parts a regular expression for the names of the parts of the report to run
 * @param warmup how long a fork runs before it is measured
 * @param iterations how many measurements a fork makes
 * @param time how long a measurement of a fork takes
 * @param slice how long a source is measured in a round where no JMH is involved
 * @param allocation how long each way of allocating is measured in a round
 * @param firstMinute for how long IDs are drawn after a start
 * @param docs the folder of the page
 */
record Settings(int rounds, List<Integer> threads, Pattern include, Pattern parts, Duration warmup, int iterations,
		Duration time, Duration slice, Duration allocation, Duration firstMinute, Path docs) {

	static final String PREFIX = "leaf.benchmarks.";

	/**
	 * Reads the system properties.
	 */
	static Settings read() {
		return new Settings(property("rounds", "5", Integer::valueOf),
				property("threads", "1,2,8",
						(list) -> Arrays.stream(list.split(",")).map(String::strip).map(Integer::valueOf).toList()),
				property("include", ".*", Pattern::compile), property("parts", ".*", Pattern::compile),
				property("warmup", "PT1S", Duration::parse), property("iterations", "3", Integer::valueOf),
				property("time", "PT0.4S", Duration::parse), property("slice", "PT2S", Duration::parse),
				property("allocation", "PT0.4S", Duration::parse), property("first-minute", "PT60S", Duration::parse),
				property("docs", "docs", Path::of));
	}

	private static <T> T property(String name, String defaultValue, Function<String, T> converter) {
		String value = System.getProperty(PREFIX + name, "");
		return converter.apply(value.isBlank() ? defaultValue : value);
	}

	/**
	 * Returns the arguments that this JVM was started with, without the settings. The
	 * forks get the same.
	 */
	static List<String> jvmArgs() {
		return ManagementFactory.getRuntimeMXBean()
			.getInputArguments()
			.stream()
			.filter((argument) -> !argument.startsWith("-D" + PREFIX))
			.toList();
	}

}
