// SPDX-License-Identifier: Apache-2.0

package io.leaf.benchmarks.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.leaf.benchmarks.Settings;
import io.leaf.benchmarks.allocation.AllocationRates;
import io.leaf.benchmarks.allocation.FirstIds;
import io.leaf.benchmarks.allocation.FirstMinute;
import io.leaf.benchmarks.allocation.GlobalNumbers;
import io.leaf.benchmarks.generator.CallLatency;
import io.leaf.benchmarks.generator.JmhRounds;
import io.leaf.benchmarks.generator.Subject.Family;
import io.leaf.benchmarks.generator.SustainedRate;
import io.leaf.benchmarks.orders.OrderInserts;
import io.leaf.benchmarks.scale.ManyKeys;
import io.leaf.benchmarks.startup.StartupTime;

/**
 * Runs the selected parts. The tables of a part are written to
 * {@code target/results/<part>.json}. The tables of all files in that folder, including
 * files of earlier runs, are written to {@code target/performance-tables.md}.
 */
public final class Report {

	private static final Path RESULTS = Path.of("target", "results");

	private static final Path PAGE = Path.of("target", "performance-tables.md");

	private Report() {
	}

	/**
	 * Measures the parts that the system properties select.
	 * @param args ignored
	 * @throws Exception if a measurement fails or a file cannot be written
	 */
	public static void main(String[] args) throws Exception {
		Settings settings = Settings.read();
		Map<String, Callable<List<Table>>> parts = parts(settings);
		Files.createDirectories(RESULTS);
		for (Map.Entry<String, Callable<List<Table>>> part : parts.entrySet()) {
			if (settings.parts().matcher(part.getKey()).find()) {
				System.out.println("== " + part.getKey());
				List<Table> tables = new ArrayList<>(List.of(machine(part.getKey())));
				tables.addAll(part.getValue().call());
				Table.write(file(part.getKey()), tables);
			}
		}
		Files.writeString(PAGE, markdown(tables(parts.keySet())));
		System.out.println("The tables are in " + PAGE.toAbsolutePath());
	}

	private static Map<String, Callable<List<Table>>> parts(Settings settings) {
		Map<String, Callable<List<Table>>> parts = new LinkedHashMap<>();
		parts.put("segment-throughput", () -> new JmhRounds(settings, RESULTS).run(Family.SEGMENT));
		parts.put("segment-latency", () -> new CallLatency(settings).measure());
		parts.put("snowflake-throughput", () -> new JmhRounds(settings, RESULTS).run(Family.SNOWFLAKE));
		parts.put("snowflake-sustained", () -> new SustainedRate(settings).measure());
		parts.put("database-allocation", () -> AllocationRates.measure(settings.rounds(), settings.allocation()));
		parts.put("database-global", () -> GlobalNumbers.measure(settings.rounds(), settings.slice()));
		parts.put("database-first-ids", () -> FirstIds.measure(settings.rounds()));
		parts.put("database-first-minute", () -> FirstMinute.measure(settings.firstMinute()));
		parts.put("orders", () -> OrderInserts.measure(settings.rounds(), settings.orders()));
		parts.put("many-keys", ManyKeys::measure);
		parts.put("startup", StartupTime::measure);
		return parts;
	}

	private static Path file(String part) {
		return RESULTS.resolve(part + ".json");
	}

	/**
	 * Reads the tables of all parts that have a file. Tables with the same name, such as
	 * the requirements of several parts, become one.
	 */
	private static Collection<Table> tables(Collection<String> parts) throws IOException {
		Map<String, Table> tables = new LinkedHashMap<>();
		for (String part : parts) {
			if (Files.exists(file(part))) {
				Table.read(file(part)).forEach((table) -> tables.merge(table.name(), table, Table::plus));
			}
		}
		return tables.values();
	}

	static String markdown(Collection<Table> tables) {
		return tables.stream()
			.map((table) -> "## %s%n%n%s".formatted(table.name(), table.markdown()))
			.collect(Collectors.joining("\n"));
	}

	/**
	 * Describes this machine, without its host name, in one row.
	 */
	private static Table machine(String part) {
		return new Table("run", List.of("part", "date", "processor", "cores", "JDK", "system"),
				List.of(List.of(part, LocalDate.now(ZoneOffset.UTC).toString(),
						value(Path.of("/proc/cpuinfo"), "model name", ":"),
						Integer.toString(Runtime.getRuntime().availableProcessors()),
						System.getProperty("java.vm.name") + " " + System.getProperty("java.vm.version"),
						"%s, %s, %s".formatted(System.getProperty("os.name"), System.getProperty("os.arch"),
								value(Path.of("/etc/os-release"), "PRETTY_NAME", "=")))));
	}

	private static String value(Path file, String name, String separator) {
		try (Stream<String> lines = Files.lines(file)) {
			return lines.filter((line) -> line.startsWith(name))
				.map((line) -> line.substring(line.indexOf(separator) + 1).replace("\"", "").strip())
				.findFirst()
				.orElse("unknown");
		}
		// only Linux has the file
		catch (IOException ex) {
			return "unknown";
		}
	}

}
