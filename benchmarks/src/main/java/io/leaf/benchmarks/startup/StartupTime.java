// SPDX-License-Identifier: Apache-2.0

package io.leaf.benchmarks.startup;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import io.leaf.benchmarks.Spread;
import io.leaf.benchmarks.report.Table;
import io.leaf.benchmarks.startup.ChildJvm.Figures;
import io.leaf.benchmarks.startup.ChildJvm.Stack;

import org.springframework.util.FileSystemUtils;

/**
 * The startup time that the library adds to a small application: the time from the start
 * of the JVM until the application is ready, compared with the same application without
 * the library. The variants are started in turn.
 */
public final class StartupTime {

	/**
	 * The number of starts of each variant.
	 */
	private static final int STARTS = 10;

	private static final List<String> FLAGS = List.of("-Xms256m", "-Xmx256m");

	private static final String NOT_SEGMENT = "--leaf.segment.enabled=false";

	private static final String SNOWFLAKE = "--leaf.snowflake.enabled=true";

	private StartupTime() {
	}

	/**
	 * Starts each variant ten times, after one start that is not measured.
	 * @return a table with a row for each variant
	 * @throws Exception if an application does not start
	 */
	public static List<Table> measure() throws Exception {
		Map<Variant, List<Figures>> starts = new EnumMap<>(Variant.class);
		List<Variant> variants = new ArrayList<>(List.of(Variant.values()));
		for (int round = 0; round <= STARTS; round++) {
			for (Variant variant : variants) {
				Figures figures = start(variant);
				// round 0 brings the jars into the file cache
				if (round > 0) {
					starts.computeIfAbsent(variant, (key) -> new ArrayList<>()).add(figures);
				}
			}
			// each round begins with a different variant
			Collections.rotate(variants, -1);
		}
		List<List<String>> rows = Stream.of(Variant.values()).map((variant) -> row(variant, starts)).toList();
		return List.of(new Table("startup",
				List.of("application", "library", "ready after", "middle half", "added", "ratio", "CPU time added"),
				rows));
	}

	private static Figures start(Variant variant) throws IOException, InterruptedException {
		Path stateDir = Files.createTempDirectory("leaf-startup");
		try {
			List<String> args = new ArrayList<>(List.of("--spring.main.banner-mode=off", "--server.port=0",
					"--spring.datasource.url=jdbc:h2:mem:orders",
					"--spring.sql.init.schema-locations=classpath:io/leaf/benchmarks/startup/schema.sql",
					"--leaf.snowflake.state-dir=" + stateDir));
			args.addAll(variant.args);
			return ChildJvm.run(StartupApplication.class, variant.stack, variant.base() != variant, FLAGS, args);
		}
		finally {
			FileSystemUtils.deleteRecursively(stateDir);
		}
	}

	private static List<String> row(Variant variant, Map<Variant, List<Figures>> starts) {
		Spread times = spread(variant, "ready", starts);
		double median = times.median();
		String application = (variant.stack == Stack.WEB) ? "JDBC and web" : "JDBC";
		String readyAfter = "%.0f ms".formatted(median);
		String middleHalf = "%.0f … %.0f ms".formatted(times.quantile(0.25), times.quantile(0.75));
		if (variant.base() == variant) {
			return List.of(application, variant.title, readyAfter, middleHalf, "–", "1", "–");
		}
		double base = spread(variant.base(), "ready", starts).median();
		double cpu = spread(variant, "ready-cpu", starts).median()
				- spread(variant.base(), "ready-cpu", starts).median();
		return List.of(application, variant.title, readyAfter, middleHalf, "%.0f ms".formatted(median - base),
				"%.2f".formatted(median / base), "%.0f ms".formatted(cpu));
	}

	private static Spread spread(Variant variant, String name, Map<Variant, List<Figures>> starts) {
		return Spread.of(starts.getOrDefault(variant, List.of()).stream().map((figures) -> figures.get(name)).toList());
	}

	/**
	 * An application with or without the library.
	 */
	private enum Variant {

		WITHOUT(Stack.JDBC, "none"),

		SEGMENT(Stack.JDBC, "segment mode, 50 keys"),

		PRELOAD(Stack.JDBC, "segment mode, 50 keys preloaded", "--leaf.segment.preload=true"),

		FILE(Stack.JDBC, "snowflake mode, worker ID configured", NOT_SEGMENT, SNOWFLAKE,
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
