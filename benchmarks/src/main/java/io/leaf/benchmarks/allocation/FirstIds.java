// SPDX-License-Identifier: Apache-2.0

package io.leaf.benchmarks.allocation;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

import io.leaf.IdGenerationException;
import io.leaf.benchmarks.report.Findings;
import io.leaf.benchmarks.report.Requirement;
import io.leaf.benchmarks.report.Requirement.Bound;
import io.leaf.benchmarks.report.Requirement.Unit;
import io.leaf.benchmarks.report.Spread;
import io.leaf.benchmarks.report.Table;
import io.leaf.benchmarks.report.Threads;

/**
 * How long it takes until each of two hundred generators has a first ID of the same key,
 * if all ask at the same moment, as after a deployment. They are compared with as many
 * threads that each run the bare statement once. All are connected beforehand, the
 * generators by having read the rows.
 */
public final class FirstIds {

	private static final int GENERATORS = 200;

	/**
	 * For how long the threads of a round gather.
	 */
	private static final Duration GATHERING = Duration.ofMillis(300);

	private FirstIds() {
	}

	/**
	 * Measures on each database.
	 * @param rounds how often
	 * @return what was found
	 * @throws Exception if a database cannot be used, or a number was taken twice
	 */
	public static Findings measure(int rounds) throws Exception {
		List<List<String>> rows = new ArrayList<>();
		List<Requirement> requirements = new ArrayList<>();
		for (Supplier<Database> start : Database.ALL) {
			try (Database database = start.get()) {
				List<Moment> statements = new ArrayList<>();
				List<Moment> generators = new ArrayList<>();
				measure(database, rounds, statements, generators);
				rows.add(row(database, generators, statements));
				requirements.add(new Requirement("first IDs against bare statements, " + database.name(), GENERATORS,
						Bound.AT_MOST, 2, Unit.RATIO, Spread.ratios(millis(generators), millis(statements))));
				requirements.add(new Requirement("first IDs, failed calls, " + database.name(), GENERATORS,
						Bound.AT_MOST, 0, Unit.CALLS, List.of(failed(generators))));
			}
		}
		return new Findings(
				List.of(new Table("first-ids", List.of("database", "generators", "last ID after, ms", "spread",
						"bare statements, ms", "spread", "ratio", "spread", "failed calls", "found"), rows)),
				requirements);
	}

	private static void measure(Database database, int rounds, List<Moment> statements, List<Moment> generators)
			throws Exception {
		for (int round = 0; round <= rounds; round++) {
			database.addRow("generator-" + round, Way.STEP);
			database.addRow("statement-" + round, Way.STEP);
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
				Moment statement = moment((thread) -> Way.STATEMENT.take(allocators.get(thread), statementKey).from());
				Moment generator = moment((thread) -> instances.get(thread).generator().nextId(generatorKey));
				System.out.printf("first-ids, %s, round %d of %d: %.0f ms, %d failed; bare statements %.0f ms%n",
						database.name(), round, rounds, generator.millis(), generator.failed(), statement.millis());
				// the first one connects, and is for the compiler
				if (round > 0) {
					statements.add(statement);
					generators.add(generator);
				}
			}
		}
		finally {
			allocators.forEach(Allocator::close);
			// each gives back what it has
			instances.parallelStream().forEach(PooledGenerator::close);
		}
	}

	private static Moment moment(Draw draw) throws ExecutionException, InterruptedException {
		long start = System.nanoTime() + GATHERING.toNanos();
		List<First> firsts = Threads.run(GENERATORS, (thread) -> first(draw, thread, start));
		long end = firsts.stream().mapToLong((first) -> first.end() - start).max().orElseThrow();
		Block.check(firsts.stream().map((first) -> new Block(first.id(), first.id() + 1)).toList());
		return new Moment(end / 1e6, firsts.stream().mapToInt(First::failed).sum());
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
				// as an application's user does
				failed++;
			}
		}
	}

	private static List<String> row(Database database, List<Moment> generators, List<Moment> statements) {
		Spread generator = Spread.of(millis(generators));
		Spread statement = Spread.of(millis(statements));
		Spread ratio = Spread.of(Spread.ratios(millis(generators), millis(statements)));
		return List.of(database.product(), Integer.toString(GENERATORS), Spread.number(generator.median(), 0),
				generator.ends(0), Spread.number(statement.median(), 0), statement.ends(0),
				Spread.number(ratio.median(), 2), ratio.ends(2), Spread.number(failed(generators), 0), "no duplicate");
	}

	private static List<Double> millis(List<Moment> moments) {
		return moments.stream().map(Moment::millis).toList();
	}

	private static double failed(List<Moment> moments) {
		return moments.stream().mapToInt(Moment::failed).sum();
	}

	/**
	 * Draws a number.
	 */
	private interface Draw {

		long draw(int thread) throws Exception;

	}

	/**
	 * A thread's first number.
	 *
	 * @param id the number
	 * @param failed how many calls failed before
	 * @param end when the thread had it, by {@link System#nanoTime()}
	 */
	private record First(long id, int failed, long end) {

	}

	/**
	 * What a round has shown.
	 *
	 * @param millis after how many milliseconds the last thread had its number
	 * @param failed how many calls failed
	 */
	private record Moment(double millis, int failed) {

	}

}
