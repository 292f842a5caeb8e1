// SPDX-License-Identifier: Apache-2.0

package io.leaf.benchmarks.allocation;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.stream.LongStream;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.leaf.benchmarks.SegmentDefaults;
import io.leaf.benchmarks.Threads;
import io.leaf.benchmarks.report.Requirement;
import io.leaf.benchmarks.report.Table;
import io.leaf.jdbc.TableName;
import io.leaf.segment.Ordering;
import io.leaf.segment.SegmentIdGenerator;
import io.leaf.segment.jdbc.JdbcSegmentStore;
import io.leaf.test.server.ControllableServer;
import io.leaf.test.server.DatabaseServer;
import io.leaf.test.server.Databases;
import org.HdrHistogram.Histogram;

import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;

/**
 * How many numbers per second the callers of one process draw from a key with the
 * ordering {@code global}, compared with statements that draw one number each. The
 * sources take turns on the same connection pool, and each round begins with a different
 * one.
 */
public final class GlobalNumbers {

	private static final List<Integer> CALLERS = List.of(1, 8, 64);

	/**
	 * How long each source runs before the measurement. A JVM that has just started
	 * interprets its code.
	 */
	private static final Duration WARM_UP = Duration.ofSeconds(4);

	private static final int WARM_UP_CALLERS = 8;

	/**
	 * The time in which all threads of a slice start.
	 */
	private static final Duration START_DELAY = Duration.ofMillis(150);

	private GlobalNumbers() {
	}

	/**
	 * Measures on MySQL.
	 * @param rounds the number of rounds
	 * @param slice how long each source is measured per round
	 * @return the tables
	 * @throws Exception if the database fails, or a number is missing or was drawn twice
	 */
	public static List<Table> measure(int rounds, Duration slice) throws Exception {
		List<List<String>> rows = new ArrayList<>();
		List<Requirement> requirements = new ArrayList<>();
		try (ControllableServer server = Databases.startDurableMysql()) {
			measure(server, WARM_UP_CALLERS, 0, WARM_UP);
			for (int callers : CALLERS) {
				NumberCase numberCase = measure(server, callers, rounds, slice);
				rows.addAll(numberCase.rows());
				// fewer callers share fewer allocations
				if (callers == Collections.max(CALLERS)) {
					requirements.add(numberCase.requirement());
				}
			}
		}
		return List.of(Requirement.table(requirements), new Table("database-global", NumberCase.COLUMNS, rows));
	}

	static NumberCase measure(DatabaseServer server, int callers, int rounds, Duration slice)
			throws SQLException, ExecutionException, InterruptedException {
		NumberCase numberCase = new NumberCase(server.product(), callers);
		List<NumberSource> sources = new ArrayList<>(List.of(NumberSource.values()));
		try (HikariDataSource pool = pool(server, callers); SegmentIdGenerator generator = generator(pool)) {
			// round 0 opens the connections and is not counted
			for (int round = 0; round <= rounds; round++) {
				for (NumberSource source : sources) {
					Calls calls = slice(source, generator, pool, slice);
					numberCase.check(source, calls.numbers());
					if (round > 0) {
						numberCase.add(source, calls.latencies(), slice);
					}
					System.out.printf(
							"database-global, %s, %d callers, round %d of %d, %s: %d numbers in the measured time%n",
							server.product(), callers, round, rounds, source, calls.latencies().getTotalCount());
				}
				Collections.rotate(sources, 1);
			}
		}
		return numberCase;
	}

	/**
	 * Opens a pool on a new database with the sources.
	 */
	private static HikariDataSource pool(DatabaseServer server, int connections) throws SQLException {
		HikariConfig config = new HikariConfig();
		config.setJdbcUrl(server.createDatabase("numbers"));
		config.setUsername(server.username());
		config.setPassword(server.password());
		config.setMaximumPoolSize(connections);
		String product = server.product().substring(0, server.product().indexOf(' ')).toLowerCase(Locale.ROOT);
		try (Connection connection = server.connect(config.getJdbcUrl())) {
			new ResourceDatabasePopulator(
					new ClassPathResource("io/leaf/segment/jdbc/schema-%s.sql".formatted(product)))
				.populate(connection);
			NumberSource.create(connection);
		}
		return new HikariDataSource(config);
	}

	private static SegmentIdGenerator generator(HikariDataSource pool) {
		SegmentIdGenerator generator = new SegmentIdGenerator(new JdbcSegmentStore(pool, new TableName("leaf_alloc")),
				SegmentDefaults.SETTINGS.toBuilder().ordering(Ordering.GLOBAL).build());
		generator.start();
		return generator;
	}

	private static Calls slice(NumberSource source, SegmentIdGenerator generator, HikariDataSource pool, Duration slice)
			throws ExecutionException, InterruptedException {
		long from = System.nanoTime() + START_DELAY.toNanos();
		long to = from + slice.toNanos();
		return Calls.sum(Threads.run(pool.getMaximumPoolSize(), (caller) -> call(source, generator, pool, from, to)));
	}

	private static Calls call(NumberSource source, SegmentIdGenerator generator, HikariDataSource pool, long from,
			long to) throws SQLException {
		LongStream.Builder numbers = LongStream.builder();
		Histogram latencies = new Histogram(Calls.DIGITS);
		long begin = System.nanoTime();
		while (begin - to < 0) {
			numbers.add(source.next(generator, pool));
			long end = System.nanoTime();
			if (end - from >= 0 && end - to < 0) {
				latencies.recordValue(end - begin);
			}
			begin = end;
		}
		return new Calls(numbers.build().toArray(), latencies);
	}

	/**
	 * The outcome of some calls.
	 *
	 * @param numbers the numbers that were drawn at any time
	 * @param latencies the duration in nanoseconds of each call that returned within the
	 * measured time
	 */
	private record Calls(long[] numbers, Histogram latencies) {

		private static final int DIGITS = 3;

		/**
		 * Adds up the calls of several callers.
		 */
		private static Calls sum(List<Calls> calls) {
			Histogram latencies = new Histogram(DIGITS);
			calls.forEach((each) -> latencies.add(each.latencies()));
			return new Calls(calls.stream().flatMapToLong((each) -> LongStream.of(each.numbers())).toArray(),
					latencies);
		}

	}

}
