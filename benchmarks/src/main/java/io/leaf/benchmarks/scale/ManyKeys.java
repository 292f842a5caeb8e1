// SPDX-License-Identifier: Apache-2.0

package io.leaf.benchmarks.scale;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;

import io.leaf.benchmarks.Spread;
import io.leaf.benchmarks.report.Table;
import io.leaf.benchmarks.startup.ChildJvm;
import io.leaf.benchmarks.startup.ChildJvm.Figures;
import io.leaf.benchmarks.startup.ChildJvm.Stack;
import org.h2.tools.Server;

/**
 * The cost of 10,000 keys in one process: memory, threads, database calls, and startup
 * time. The process is a Spring Boot application in a separate JVM. The database is H2 in
 * the memory of this JVM, behind its TCP server.
 */
public final class ManyKeys {

	private static final int KEYS = 10_000;

	/**
	 * The number of keys in the process with which the one with 10,000 keys is compared.
	 */
	private static final int FEW = 100;

	private static final int STARTS = 5;

	private static final List<String> FLAGS = List.of("-Xms256m", "-Xmx256m", "-XX:+UseSerialGC");

	private ManyKeys() {
	}

	/**
	 * Measures everything. One process is idle for two minutes while others start and
	 * stop.
	 * @return a table with a row for each figure
	 * @throws Exception if an application does not start
	 */
	public static List<Table> measure() throws Exception {
		Server server = Server.createTcpServer("-tcpPort", "0").start();
		ExecutorService executor = Executors.newSingleThreadExecutor();
		try (Database few = new Database(server, "few", FEW);
				Database many = new Database(server, "many", KEYS);
				Database undisturbed = new Database(server, "undisturbed", KEYS)) {
			Future<Figures> idle = executor.submit((Callable<Figures>) () -> undisturbed.run("idle"));
			List<List<String>> rows = new ArrayList<>();
			memory(few.run("memory"), many.run("memory"), rows);
			starts(few, many, rows);
			idle(idle.get(), rows);
			adapted(few.run("adapt"), rows);
			return List.of(new Table("many-keys", List.of("%,d keys in one process".formatted(KEYS), "figure"), rows));
		}
		finally {
			executor.shutdownNow();
			server.stop();
		}
	}

	private static void memory(Figures few, Figures many, List<List<String>> rows) {
		Map<String, String> titles = Map.of("known", "a key without a segment", "segment", "a key with a segment",
				"prefetched", "a key with its current and its next segment");
		for (String state : List.of("known", "segment", "prefetched")) {
			double bytes = (many.get(state) - few.get(state)) / (many.get("keys") - few.get("keys"));
			rows.add(List.of("heap, " + titles.get(state), "%.0f bytes".formatted(bytes)));
		}
	}

	private static void starts(Database few, Database many, List<List<String>> rows) throws Exception {
		List<Figures> withFew = new ArrayList<>();
		List<Figures> withMany = new ArrayList<>();
		List<Figures> preloaded = new ArrayList<>();
		// this start brings the jars into the file cache and is not counted
		few.run("start");
		for (int i = 0; i < STARTS; i++) {
			withFew.add(few.run("start"));
			withMany.add(many.run("start"));
			preloaded.add(many.run("preload", "--leaf.segment.preload=true"));
		}
		double base = median(withFew, (figures) -> figures.get("ready"));
		rows.add(List.of("startup, compared with %d keys".formatted(FEW), comparedWith(base, withMany)));
		rows.add(List.of("startup with preload, compared with %d keys without preload".formatted(FEW),
				comparedWith(base, preloaded)));
		rows.add(List.of("from the end of startup until all keys are preloaded",
				"%.0f ms".formatted(median(preloaded, (figures) -> figures.get("preloaded") - figures.get("ready")))));
	}

	private static String comparedWith(double base, List<Figures> starts) {
		double median = median(starts, (figures) -> figures.get("ready"));
		return "%+.0f ms (%.2f ×)".formatted(median - base, median / base);
	}

	private static void idle(Figures idle, List<List<String>> rows) {
		rows.add(List.of("threads", "%.0f".formatted(idle.get("threads"))));
		rows.add(List.of("additional threads (of Leaf's connection pool) right after the query that reads all rows",
				"%.0f".formatted(idle.get("pool-threads"))));
		rows.add(List.of("two idle minutes: queries", "%.0f".formatted(idle.count("queries"))));
		rows.add(List.of("two idle minutes: commits", "%.0f".formatted(idle.count("commits"))));
		rows.add(List.of("two idle minutes: connections opened", "%.0f".formatted(idle.count("connections"))));
		rows.add(List.of("two idle minutes: all other calls",
				"%.0f".formatted(idle.count("updates") + idle.count("others"))));
	}

	private static void adapted(Figures adapted, List<List<String>> rows) {
		double millions = adapted.get("ids") / 1e6;
		rows.add(List.of("a million IDs of one key at the largest step: segments fetched",
				"%.2f".formatted(adapted.get("fetches") / millions)));
		rows.add(List.of("the same: statements", "%.2f".formatted(adapted.get("statements") / millions)));
	}

	private static double median(List<Figures> runs, Function<Figures, Double> figure) {
		return Spread.of(runs.stream().map(figure).toList()).median();
	}

	/**
	 * A database with the rows of some keys.
	 */
	private static final class Database implements AutoCloseable {

		private final String url;

		private final int keys;

		private final Connection connection;

		Database(Server server, String name, int keys) throws SQLException {
			this.url = "jdbc:h2:tcp://localhost:%d/mem:%s".formatted(server.getPort(), name);
			this.keys = keys;
			this.connection = DriverManager.getConnection("jdbc:h2:mem:" + name, "sa", "");
			try (Statement statement = this.connection.createStatement()) {
				statement.execute("RUNSCRIPT FROM 'classpath:io/leaf/segment/jdbc/schema-h2.sql'");
			}
		}

		/**
		 * Runs an application after resetting all rows.
		 */
		Figures run(String task, String... properties) throws Exception {
			try (Statement statement = this.connection.createStatement()) {
				statement.execute("DELETE FROM leaf_alloc");
				statement.execute(
						"INSERT INTO leaf_alloc (biz_tag, max_id, step) SELECT 'key-' || x, 1, %d FROM SYSTEM_RANGE(1, %d)"
							.formatted(ManyKeysApplication.STEP, this.keys));
			}
			List<String> args = new ArrayList<>(List.of(task, "--spring.main.banner-mode=off", "--url=" + this.url));
			args.addAll(List.of(properties));
			Figures figures = ChildJvm.run(ManyKeysApplication.class, Stack.JDBC, true, FLAGS, args);
			if (figures.values().containsKey("keys") && figures.get("keys") != this.keys) {
				throw new IllegalStateException(
						"The application does not have %d keys: %s".formatted(this.keys, figures));
			}
			return figures;
		}

		@Override
		public void close() throws SQLException {
			this.connection.close();
		}

	}

}
