// SPDX-License-Identifier: Apache-2.0

package io.leaf.benchmarks.startup;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import io.leaf.benchmarks.report.Table;
import io.leaf.benchmarks.startup.ChildJvm.Stack;

import org.springframework.util.FileSystemUtils;

/**
 * What the library adds to the start of a small application: the time from the start of
 * the JVM until the application is ready, against the same without the library. The
 * variants are started in alternation.
 */
public final class StartUp {

	/**
	 * How often each variant is started.
	 */
	private static final int STARTS = 10;

	/**
	 * The flags of the JVMs.
	 */
	private static final List<String> FLAGS = List.of("-Xms256m", "-Xmx256m");

	private static final String NOT_SEGMENT = "--leaf.segment.enabled=false";

	private static final String SNOWFLAKE = "--leaf.snowflake.enabled=true";

	private StartUp() {
	}

	/**
	 * Prints the figures.
	 * @param args how often to start each variant, or nothing
	 * @throws Exception if an application does not start
	 */
	public static void main(String[] args) throws Exception {
		measure((args.length > 0) ? Integer.parseInt(args[0]) : STARTS).rows()
			.forEach((row) -> System.out.println(String.join(" | ", row)));
	}

	/**
	 * Starts each variant ten times.
	 * @return a row a variant
	 * @throws Exception if an application does not start
	 */
	public static Table measure() throws Exception {
		return measure(STARTS);
	}

	private static Table measure(int count) throws Exception {
		Map<Variant, List<Figures>> starts = new EnumMap<>(Variant.class);
		List<Variant> variants = new ArrayList<>(List.of(Variant.values()));
		for (int round = 0; round <= count; round++) {
			for (Variant variant : variants) {
				Figures figures = start(variant);
				// the first round brings the jars into the file cache
				if (round > 0) {
					starts.computeIfAbsent(variant, (key) -> new ArrayList<>()).add(figures);
				}
			}
			// each comes after another one in turn
			variants.add(variants.remove(0));
		}
		List<List<String>> rows = Stream.of(Variant.values()).map((variant) -> row(variant, starts)).toList();
		return new Table("start-up",
				List.of("application", "library", "ready after", "middle half", "added", "ratio", "CPU time added"),
				rows);
	}

	private static Figures start(Variant variant) throws IOException, InterruptedException {
		Path stateDir = Files.createTempDirectory("leaf-start-up");
		try {
			List<String> args = new ArrayList<>(List.of("--spring.main.banner-mode=off", "--server.port=0",
					"--spring.datasource.url=jdbc:h2:mem:orders",
					"--spring.sql.init.schema-locations=classpath:io/leaf/benchmarks/startup/schema.sql",
					"--leaf.snowflake.state-dir=" + stateDir));
			args.addAll(variant.args);
			return ChildJvm.run(StartUpApplication.class, variant.stack, variant.base() != variant, FLAGS, args);
		}
		finally {
			FileSystemUtils.deleteRecursively(stateDir);
		}
	}

	private static List<String> row(Variant variant, Map<Variant, List<Figures>> starts) {
		double[] times = values(variant, "ready", starts);
		double median = Samples.median(times);
		String application = (variant.stack == Stack.WEB) ? "JDBC and web" : "JDBC";
		String readyAfter = "%.0f ms".formatted(median);
		String spread = "%.0f … %.0f ms".formatted(Samples.quantile(0.25, times), Samples.quantile(0.75, times));
		if (variant.base() == variant) {
			return List.of(application, variant.title, readyAfter, spread, "–", "1", "–");
		}
		double base = Samples.median(values(variant.base(), "ready", starts));
		double cpu = Samples.median(values(variant, "ready-cpu", starts))
				- Samples.median(values(variant.base(), "ready-cpu", starts));
		return List.of(application, variant.title, readyAfter, spread, "%.0f ms".formatted(median - base),
				"%.2f".formatted(median / base), "%.0f ms".formatted(cpu));
	}

	private static double[] values(Variant variant, String name, Map<Variant, List<Figures>> starts) {
		return starts.getOrDefault(variant, List.of()).stream().mapToDouble((figures) -> figures.get(name)).toArray();
	}

	/**
	 * An application with or without the library.
	 */
	private enum Variant {

		WITHOUT(Stack.JDBC, "none"),

		SEGMENT(Stack.JDBC, "segment mode, 50 keys"),

		PRELOAD(Stack.JDBC, "segment mode, 50 keys preloaded", "--leaf.segment.preload=true"),

		FILE(Stack.JDBC, "snowflake mode, worker ID set by hand", NOT_SEGMENT, SNOWFLAKE,
				"--leaf.snowflake.worker.source=file", "--leaf.snowflake.worker.id=7"),

		DATABASE(Stack.JDBC, "snowflake mode, worker ID from the database", NOT_SEGMENT, SNOWFLAKE,
				"--leaf.snowflake.worker.source=jdbc"),

		WEB_WITHOUT(Stack.WEB, "none"),

		WEB_SEGMENT(Stack.WEB, "segment mode, 50 keys");

		private final Stack stack;

		private final String title;

		private final List<String> args;

		Variant(Stack stack, String title, String... args) {
			this.stack = stack;
			this.title = title;
			this.args = List.of(args);
		}

		/**
		 * Returns the same application without the library.
		 */
		Variant base() {
			return (this.stack == Stack.WEB) ? WEB_WITHOUT : WITHOUT;
		}

	}

}
