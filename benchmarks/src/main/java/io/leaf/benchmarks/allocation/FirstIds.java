// SPDX-License-Identifier: Apache-2.0

package io.leaf.benchmarks.allocation;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.leaf.IdGenerationException;
import io.leaf.benchmarks.SegmentDefaults;
import io.leaf.benchmarks.Spread;
import io.leaf.benchmarks.Threads;
import io.leaf.benchmarks.report.Requirement;
import io.leaf.benchmarks.report.Requirement.Bound;
import io.leaf.benchmarks.report.Requirement.Unit;
import io.leaf.benchmarks.report.Table;
import io.leaf.jdbc.TableName;
import io.leaf.segment.SegmentIdGenerator;
import io.leaf.segment.jdbc.JdbcSegmentStore;

/**
 * How long it takes until each of 200 generators has issued the first ID of the same key,
 * if all are called at the same moment, as after a deployment. They are compared with 200
 * threads that each run the bare statement once. All connections are open beforehand: the
 * generators have opened theirs to read the rows.
 */
public final class FirstIds {

	private static final int GENERATORS = 200;

	/**
	 * The time in which all threads of a round start.
	 */
	private static final Duration START_DELAY = Duration.ofMillis(300);

	private FirstIds() {
	}

	/**
	 * Measures on each database.
	 * @param rounds the number of rounds
	 * @return the tables
	 * @throws Exception if a database fails, or a number was issued twice
	 */
	public static List<Table> measure(int rounds) throws Exception {
		List<List<String>> rows = new ArrayList<>();
		List<Requirement> requirements = new ArrayList<>();
		for (Supplier<Database> start : Database.ALL) {
			try (Database database = start.get()) {
				List<Round> statements = new ArrayList<>();
				List<Round> generators = new ArrayList<>();
				measure(database, rounds, statements, generators);
				rows.add(row(database, generators, statements));
				requirements.add(new Requirement("first IDs against bare statements, " + database.name(), GENERATORS,
						Bound.AT_MOST, 2, Unit.RATIO, Spread.ratios(millis(generators), millis(statements))));
				requirements.add(new Requirement("first IDs, failed calls, " + database.name(), GENERATORS,
						Bound.AT_MOST, 0, Unit.CALLS, List.of(failed(generators))));
			}
		}
		return List
			.of(Requirement.table(requirements),
					new Table(
							"database-first-ids", List.of("database", "generators", "last ID after, ms", "spread",
									"bare statements, ms", "spread", "ratio", "spread", "failed calls", "found"),
							rows));
	}

	private static void measure(Database database, int rounds, List<Round> statements, List<Round> generators)
			throws Exception {
		for (int round = 0; round <= rounds; round++) {
			database.addRow("generator-" + round, AllocationMethod.STEP);
			database.addRow("statement-" + round, AllocationMethod.STEP);
		}
		String url = database.url(Duration.ZERO);
		List<Allocator> allocators = new ArrayList<>();
		List<PooledGenerator> instances = new ArrayList<>();
		try {
			for (int i = 0; i < GENERATORS; i++) {
				allocators.add(new Allocator(database, url));
				instances.add(new PooledGenerator(database, url));
			}
			for (int round = 0; round <= rounds; round++) {
				String statementKey = "statement-" + round;
				String generatorKey = "generator-" + round;
				Round statement = round(
						(thread) -> AllocationMethod.STATEMENT.allocate(allocators.get(thread), statementKey).from());
				Round generator = round((thread) -> instances.get(thread).generator().nextId(generatorKey));
				System.out.printf(
						"database-first-ids, %s, round %d of %d: generators %.0f ms, %d failed; bare statements %.0f ms%n",
						database.name(), round, rounds, generator.millis(), generator.failed(), statement.millis());
				// round 0 opens the connections and is the warm-up of the compiler
				if (round > 0) {
					statements.add(statement);
					generators.add(generator);
				}
			}
		}
		finally {
			allocators.forEach(Allocator::close);
			// in parallel, since each gives back its unused numbers
			instances.parallelStream().forEach(PooledGenerator::close);
		}
	}

	private static Round round(Draw draw) throws ExecutionException, InterruptedException {
		long start = System.nanoTime() + START_DELAY.toNanos();
		List<First> firsts = Threads.run(GENERATORS, (thread) -> first(draw, thread, start));
		long end = firsts.stream().mapToLong((first) -> first.end() - start).max().orElseThrow();
		AllocatedSegment
			.check(firsts.stream().map((first) -> new AllocatedSegment(first.id(), first.id() + 1)).toList());
		return new Round(end / 1e6, firsts.stream().mapToInt(First::failed).sum());
	}

	private static First first(Draw draw, int thread, long start) throws Exception {
		for (long left = start - System.nanoTime(); left > 0; left = start - System.nanoTime()) {
			LockSupport.parkNanos(left);
		}
		int failed = 0;
		while (true) {
			try {
				return new First(draw.draw(thread), failed, System.nanoTime());
			}
			catch (IdGenerationException ex) {
				// the caller tries again, as a user of an application would
				failed++;
			}
		}
	}

	private static List<String> row(Database database, List<Round> generators, List<Round> statements) {
		Spread generator = Spread.of(millis(generators));
		Spread statement = Spread.of(millis(statements));
		Spread ratio = Spread.of(Spread.ratios(millis(generators), millis(statements)));
		return List.of(database.product(), Integer.toString(GENERATORS), Spread.format(generator.median(), 0),
				generator.range(0), Spread.format(statement.median(), 0), statement.range(0),
				Spread.format(ratio.median(), 2), ratio.range(2), Spread.format(failed(generators), 0), "no duplicate");
	}

	private static List<Double> millis(List<Round> rounds) {
		return rounds.stream().map(Round::millis).toList();
	}

	private static double failed(List<Round> rounds) {
		return rounds.stream().mapToInt(Round::failed).sum();
	}

	/**
	 * Draws a number.
	 */
	private interface Draw {

		long draw(int thread) throws Exception;

	}

	/**
	 * The first number of a thread.
	 *
	 * @param id the number
	 * @param failed the number of calls that failed before
	 * @param end the {@link System#nanoTime()} at which the thread received it
	 */
	private record First(long id, int failed, long end) {

	}

	/**
	 * The result of a round.
	 *
	 * @param millis the time in milliseconds until the last thread received its number
	 * @param failed the number of calls that failed
	 */
	private record Round(double millis, int failed) {

	}

	/**
	 * A generator with its own small connection pool, as in a separate process.
	 */
	private static final class PooledGenerator implements AutoCloseable {

		private static final int CONNECTIONS = 2;

		private final HikariDataSource pool;

		private final SegmentIdGenerator generator;

		/**
		 * Starts a generator, which reads the rows.
		 * @param database the database
		 * @param url the JDBC URL
		 */
		PooledGenerator(Database database, String url) {
			HikariConfig config = new HikariConfig();
			config.setJdbcUrl(url);
			config.setUsername(database.username());
			config.setPassword(database.password());
			config.setMaximumPoolSize(CONNECTIONS);
			config.setMinimumIdle(1);
			this.pool = new HikariDataSource(config);
			this.generator = new SegmentIdGenerator(new JdbcSegmentStore(this.pool, new TableName("leaf_alloc")),
					SegmentDefaults.SETTINGS);
			this.generator.start();
		}

		SegmentIdGenerator generator() {
			return this.generator;
		}

		@Override
		public void close() {
			this.generator.close();
			this.pool.close();
		}

	}

}
