// SPDX-License-Identifier: Apache-2.0

package io.leaf.benchmarks.allocation;

import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.function.Supplier;

import io.leaf.benchmarks.Threads;
import io.leaf.benchmarks.allocation.Allocator.Calls;
import io.leaf.benchmarks.report.Requirement;
import io.leaf.benchmarks.report.Requirement.Bound;
import io.leaf.benchmarks.report.Requirement.Unit;
import io.leaf.benchmarks.report.Table;

/**
 * How many segments per second many processes allocate from one row. The methods of
 * allocation take turns on the same connections, and each round begins with a different
 * one.
 */
public final class AllocationRates {

	private static final List<Integer> ALLOCATORS = List.of(1, 8, 64, 200);

	private static final List<Duration> ADDED_ROUND_TRIPS = List.of(Duration.ZERO, Duration.ofMillis(5));

	/**
	 * The time in which all threads of a slice start and queue for the row.
	 */
	private static final Duration START_DELAY = Duration.ofMillis(150);

	/**
	 * How long each method runs before the measurement. A JVM that has just started
	 * interprets its code, which would affect the longest method most.
	 */
	private static final Duration WARM_UP = Duration.ofSeconds(4);

	private static final int WARM_UP_ALLOCATORS = 8;

	private final int rounds;

	private final Duration slice;

	private final List<List<String>> rows = new ArrayList<>();

	private final List<Requirement> requirements = new ArrayList<>();

	private AllocationRates(int rounds, Duration slice) {
		this.rounds = rounds;
		this.slice = slice;
	}

	/**
	 * Measures on each database, with and without an added round trip.
	 * @param rounds the number of rounds
	 * @param slice how long each method is measured per round
	 * @return the tables
	 * @throws Exception if a database fails, or a number was allocated twice
	 */
	public static List<Table> measure(int rounds, Duration slice) throws Exception {
		AllocationRates rates = new AllocationRates(rounds, slice);
		for (Supplier<Database> start : Database.ALL) {
			try (Database database = start.get()) {
				rates.measure(database);
			}
		}
		return List.of(Requirement.table(rates.requirements),
				new Table("database-allocation", AllocationCase.COLUMNS, rates.rows));
	}

	private void measure(Database database) throws SQLException, ExecutionException, InterruptedException {
		warmUp(database);
		double failed = 0;
		for (Duration added : ADDED_ROUND_TRIPS) {
			List<AllocationCase> cases = measure(database, added);
			double roundTrip = database.roundTripMillis(database.url(added));
			for (AllocationCase each : cases) {
				this.rows.add(each.row(roundTrip));
				this.requirements.add(each.requirement());
				failed += each.failed(AllocationMethod.LIBRARY);
			}
		}
		this.requirements.add(new Requirement("segments, failed calls, " + database.name(), Collections.max(ALLOCATORS),
				Bound.AT_MOST, 0, Unit.CALLS, List.of(failed)));
	}

	private static void warmUp(Database database) throws SQLException, ExecutionException, InterruptedException {
		List<Allocator> allocators = new ArrayList<>();
		try {
			for (int i = 0; i < WARM_UP_ALLOCATORS; i++) {
				allocators.add(new Allocator(database, database.url(Duration.ZERO)));
			}
			database.addRow("warm-up", AllocationMethod.STEP);
			for (AllocationMethod method : AllocationMethod.values()) {
				slice(method, allocators, "warm-up", WARM_UP);
			}
		}
		finally {
			allocators.forEach(Allocator::close);
		}
	}

	private List<AllocationCase> measure(Database database, Duration added)
			throws SQLException, ExecutionException, InterruptedException {
		String url = database.url(added);
		List<AllocationCase> cases = new ArrayList<>();
		List<Allocator> allocators = new ArrayList<>();
		try {
			for (int count : ALLOCATORS) {
				while (allocators.size() < count) {
					allocators.add(new Allocator(database, url));
				}
				String key = "order-%d-%d".formatted(added.toMillis(), count);
				database.addRow(key, AllocationMethod.STEP);
				AllocationCase allocationCase = new AllocationCase(database.product(), added, count);
				measure(allocationCase, allocators, key);
				cases.add(allocationCase);
			}
		}
		finally {
			allocators.forEach(Allocator::close);
		}
		return cases;
	}

	private void measure(AllocationCase allocationCase, List<Allocator> allocators, String key)
			throws ExecutionException, InterruptedException {
		List<AllocationMethod> methods = new ArrayList<>(List.of(AllocationMethod.values()));
		// opens the connections
		for (AllocationMethod method : methods) {
			slice(method, allocators, key, START_DELAY);
		}
		for (int round = 1; round <= this.rounds; round++) {
			for (AllocationMethod method : methods) {
				Calls calls = slice(method, allocators, key, this.slice);
				allocationCase.add(method, calls, this.slice);
				System.out.printf(
						"database-allocation, %s, %d allocators, round %d of %d, %s: %d segments allocated in the measured time, %d calls failed%n",
						allocationCase.title(), allocationCase.allocators(), round, this.rounds, method,
						calls.counted(), calls.failed());
			}
			Collections.rotate(methods, 1);
		}
	}

	private static Calls slice(AllocationMethod method, List<Allocator> allocators, String key, Duration slice)
			throws ExecutionException, InterruptedException {
		Threads.run(allocators.size(), (thread) -> {
			allocators.get(thread).prepare();
			return thread;
		});
		long from = System.nanoTime() + START_DELAY.toNanos();
		long to = from + slice.toNanos();
		return Calls.sum(Threads.run(allocators.size(), (thread) -> allocators.get(thread).run(method, key, from, to)));
	}

}
