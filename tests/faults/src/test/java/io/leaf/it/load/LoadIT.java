// SPDX-License-Identifier: Apache-2.0

package io.leaf.it.load;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToLongFunction;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import io.leaf.test.server.InstalledJdk;
import io.leaf.it.load.LoadResult.Segments;
import io.leaf.test.server.DatabaseServer;
import io.leaf.test.server.Databases;
import io.leaf.test.server.Pools;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;

/**
 * Tests the library under load: with 64 platform threads and with 10,000 virtual threads,
 * on one key and on 1,000 keys, as fast as possible and at a given rate, and in snowflake
 * mode. Each part takes one second or, for example with {@code -Dleaf.load.minutes=10},
 * ten minutes.
 * <p>
 * Every ID is checked: no two IDs are equal, each ID is larger than all IDs that had been
 * checked before its thread began the batch, and no number from a segment is missing. No
 * call may fail, the heap must not grow after the first quarter of the time, and the
 * library must not need more threads for more callers. The rates are reported, not
 * asserted.
 */
@EnabledIfSystemProperty(named = "leaf.test.full", matches = "true",
		disabledReason = "draws IDs for a while with each kind of caller")
class LoadIT {

	private static final Logger logger = LoggerFactory.getLogger(LoadIT.class);

	private static final int MINUTES = Integer.getInteger("leaf.load.minutes", 0);

	private static final Duration LENGTH = (MINUTES > 0) ? Duration.ofMinutes(MINUTES) : Duration.ofSeconds(1);

	/**
	 * How much the heap may grow after the first quarter, because the memory that the JVM
	 * itself uses varies.
	 */
	private static final long HEAP_MARGIN = 2 << 20;

	/**
	 * The maximum number of threads of the library and its pool, regardless of the number
	 * of callers and keys.
	 */
	private static final int MAX_THREADS = 8;

	private static final Path DIRECTORY = Path.of("target", "load").toAbsolutePath();

	private static final LoadReport report = new LoadReport();

	@TempDir
	private Path state;

	private final SoftAssertions softly = new SoftAssertions();

	@ParameterizedTest
	@EnumSource
	void noIdIsIssuedTwiceAndTheHeapDoesNotGrow(CallerKind kind) throws Exception {
		InstalledJdk jdk = InstalledJdk.require(kind.feature(), "LoadIT with " + kind);
		Files.createDirectories(DIRECTORY);
		DatabaseServer server = Databases.mysql();
		try (HikariDataSource pool = Pools.of(server, "load")) {
			prepare(pool);
			List<LoadResult> partResults = LoadProcess.run(jdk, kind, DIRECTORY, LENGTH,
					"leaf.snowflake.state-dir=" + this.state, "spring.datasource.url=" + pool.getJdbcUrl(),
					"spring.datasource.username=" + server.username(),
					"spring.datasource.password=" + server.password());
			report.add(partResults);
			partResults.forEach(this::check);
		}
		this.softly.assertAll();
	}

	private static void prepare(DataSource dataSource) {
		new ResourceDatabasePopulator(new ClassPathResource("io/leaf/segment/jdbc/schema-mysql.sql"))
			.execute(dataSource);
		List<Object[]> keys = new ArrayList<>();
		for (int i = 0; i < LoadPart.KEYS; i++) {
			keys.add(new Object[] { LoadPart.key(i) });
		}
		new JdbcTemplate(dataSource).batchUpdate("INSERT INTO leaf_alloc (biz_tag, max_id, step) VALUES (?, 1, 1000)",
				keys);
	}

	private void check(LoadResult result) {
		String name = result.kind() + ", " + result.part();
		this.softly.assertThat(result.ids()).as("IDs of %s", name).isPositive();
		this.softly.assertThat(result.failures()).as("failed calls of %s", name).isZero();
		this.softly.assertThat(result.heapAtEnd())
			.as("heap at the end of %s", name)
			.isLessThan(result.heapAtQuarter() + HEAP_MARGIN);
		this.softly.assertThat(result.threads()).as("threads in %s", name).isBetween(1, MAX_THREADS);
		// numbers of a segment whose answer was lost are never issued
		if (result.segments() != null && result.segments().failures() == 0) {
			this.softly.assertThat(result.segments().missing()).as("numbers that were not issued in %s", name).isZero();
		}
	}

	@AfterAll
	static void writeReport() throws IOException {
		Files.createDirectories(DIRECTORY);
		String page = report.page("%s, %d processors, %s for each row".formatted(Databases.mysql().product(),
				Runtime.getRuntime().availableProcessors(), LENGTH));
		Files.writeString(DIRECTORY.resolve("report.md"), page);
		logger.info("{}", page);
	}

	/**
	 * The results of a run, as a page.
	 */
	private static final class LoadReport {

		private final List<LoadResult> results = new ArrayList<>();

		void add(List<LoadResult> results) {
			this.results.addAll(results);
			this.results.sort(Comparator.comparing(LoadResult::kind).thenComparing(LoadResult::part));
		}

		/**
		 * Returns the page.
		 * @param facts the text above the tables
		 */
		String page(String facts) {
			StringBuilder page = new StringBuilder("# Load\n\n").append(facts).append("\n\n");
			page.append("| callers | what they ask for | IDs | IDs/s | longest call, ms | in the first quarter, ms"
					+ " | calls over 10 ms | calls that waited | longest check, ms |\n|---|---|---|---|---|---|---|---|---|\n");
			for (LoadResult result : this.results) {
				page.append("| %s | %s | %,d | %,d | %s | %s | %,d | %s | %s |%n".formatted(callers(result),
						result.part(), result.ids(), Math.round(result.ids() * 1e9 / result.nanos()),
						millis(result.longest()), millis(result.first()), result.slow(),
						ofSegments(result, Segments::waits), millis(result.pause())));
			}
			page.append(
					"\n| callers | what they ask for | fetches | statements | heap at a quarter, KB | heap at the end, KB"
							+ " | threads of the library |\n|---|---|---|---|---|---|---|\n");
			for (LoadResult result : this.results) {
				page.append("| %s | %s | %s | %,d | %,d | %,d | %d |%n".formatted(callers(result), result.part(),
						ofSegments(result, Segments::fetches), result.statements(), result.heapAtQuarter() / 1024,
						result.heapAtEnd() / 1024, result.threads()));
			}
			return page.toString();
		}

		private static String callers(LoadResult result) {
			return "%s, JDK %d".formatted(result.kind(), result.jdk());
		}

		private static String ofSegments(LoadResult result, ToLongFunction<Segments> value) {
			return (result.segments() != null) ? "%,d".formatted(value.applyAsLong(result.segments())) : "–";
		}

		private static String millis(long nanos) {
			return "%,.1f".formatted(nanos / 1e6);
		}

	}

}
