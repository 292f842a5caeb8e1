// SPDX-License-Identifier: Apache-2.0

package io.leaf.benchmarks.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The machine and the settings of a run.
 */
final class Machine {

	private Machine() {
	}

	/**
	 * Describes this machine, without its name, as one row.
	 * @param part what was measured on it
	 */
	static Table table(String part) {
		return new Table("run", List.of("part", "date", "processor", "cores", "JDK", "system"),
				List.of(List.of(part, LocalDate.now(ZoneOffset.UTC).toString(), processor(),
						Integer.toString(Runtime.getRuntime().availableProcessors()),
						System.getProperty("java.vm.name") + " " + System.getProperty("java.vm.version"),
						System.getProperty("os.name") + ", " + System.getProperty("os.arch") + release(", "))));
	}

	private static String processor() {
		return field(Path.of("/proc/cpuinfo"), "model name", ":", "unknown");
	}

	private static String release(String separator) {
		String name = field(Path.of("/etc/os-release"), "PRETTY_NAME", "=", "");
		return name.isEmpty() ? "" : separator + name.replace("\"", "");
	}

	private static String field(Path file, String name, String separator, String otherwise) {
		try (Stream<String> lines = Files.lines(file)) {
			return lines.filter((line) -> line.startsWith(name))
				.map((line) -> line.substring(line.indexOf(separator) + 1).strip())
				.limit(1)
				.collect(Collectors.collectingAndThen(Collectors.joining(),
						(value) -> value.isEmpty() ? otherwise : value));
		}
		// not on Linux
		catch (IOException ex) {
			return otherwise;
		}
	}

}
