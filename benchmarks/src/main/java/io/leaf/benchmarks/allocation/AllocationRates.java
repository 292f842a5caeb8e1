// SPDX-License-Identifier: Apache-2.0

package io.leaf.benchmarks.allocation;

import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.function.Supplier;

import io.leaf.benchmarks.allocation.Allocator.Calls;
import io.leaf.benchmarks.report.Findings;
import io.leaf.benchmarks.report.Requirement;
import io.leaf.benchmarks.report.Requirement.Bound;
import io.leaf.benchmarks.report.Requirement.Unit;
import io.leaf.benchmarks.report.Table;
import io.leaf.benchmarks.report.Threads;

/**
 * How many blocks per second many processes take from one row. The ways to do so take
 * turns on the same connections, and each round begins with another one.
 */
public final class AllocationRates {

	private static final List<Integer> ALLOCATORS = List.of(1, 8, 64, 200);

	private static final List<Duration> DISTANCES = List.of(Duration.ZERO, Duration.ofMillis(5));

	/**
	 * For how long the threads of a slice gather, and queue for the row.
	 */
	private static final Duration GATHERING = Duration.ofMillis(150);

	/**
	 * For how long each way runs before any is measured: a process that has just started
	 * interprets its code, and the longest way would suffer most.
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
	 * Measures on each database, near and at a distance.
	 * @param rounds how often
	 * @param slice how long each way is measured in a round
	 * @return what was found
	 * @throws Exception if a database cannot be used, or a number was taken twice
	 */
	public static Findings measure(int rounds, Duration slice) throws Exception {
		AllocationRates rates = new AllocationRates(rounds, slice);
		for (Supplier<Database> start : Database.ALL) {
			try (Database database = start.get()) {
				rates.measure(database);
			}
		}
		return new Findings(List.of(new Table("allocation", Cell.COLUMNS, rates.rows)), rates.requirements);
	}

	private void measure(Database database) throws SQLException, ExecutionException, InterruptedException {
		warmUp(database);
		double failed = 0;
		for (Duration distance : DISTANCES) {
			List<Cell> cells = measure(database, distance);
			double roundTrip = database.roundTripMillis(database.url(distance));
			for (Cell cell : cells) {
				this.rows.add(cell.row(roundTrip));
				this.requirements.add(cell.requirement());
				failed += cell.failed(Way.LIBRARY);
			}
		}
		this.requirements.add(new Requirement("allocation, failed calls, " + database.name(),
				Collections.max(ALLOCATORS), Bound.AT_MOST, 0, Unit.CALLS, List.of(failed)));
	}

	private static void warmUp(Database database) throws SQLException, ExecutionException, InterruptedException {
		List<Allocator> allocators = new ArrayList<>();
		try {
			for (int i = 0; i < WARM_UP_ALLOCATORS; i++) {
				allocators.add(new Allocator(database, database.url(Duration.ZERO)));
			}
			database.addRow("warm-up", Way.STEP);
			for (Way way : Way.values()) {
				slice(way, allocators, "warm-up", WARM_UP);
			}
		}
		finally {
			allocators.forEach(Allocator::close);
		}
	}

	private List<Cell> measure(Database database, Duration distance)
			throws SQLException, ExecutionException, InterruptedException {
		String url = database.url(distance);
		List<Cell> cells = new ArrayList<>();
		List<Allocator> allocators = new ArrayList<>();
		try {
			for (int count : ALLOCATORS) {
				while (allocators.size() < count) {
					allocators.add(new Allocator(database, url));
				}
				String key = "order-%d-%d".formatted(distance.toMillis(), count);
				database.addRow(key, Way.STEP);
				Cell cell = new Cell(database.product(), distance, count);
				measure(cell, allocators, key);
				cells.add(cell);
			}
		}
		finally {
			allocators.forEach(Allocator::close);
		}
		return cells;
	}

	private void measure(Cell cell, List<Allocator> allocators, String key)
			throws ExecutionException, InterruptedException {
		List<Way> ways = new ArrayList<>(List.of(Way.values()));
		// connects
		for (Way way : ways) {
			slice(way, allocators, key, GATHERING);
		}
		for (int round = 1; round <= this.rounds; round++) {
			for (Way way : ways) {
				Calls calls = slice(way, allocators, key, this.slice);
				cell.add(way, calls, this.slice);
				System.out.printf("allocation, %s, %d allocators, round %d of %d, %s: %d calls, %d failed%n",
						cell.title(), cell.allocators(), round, this.rounds, way, calls.counted(), calls.failed());
			}
			// each comes after another one in turn
			Collections.rotate(ways, 1);
		}
	}

	private static Calls slice(Way way, List<Allocator> allocators, String key, Duration slice)
			throws ExecutionException, InterruptedException {
		Threads.run(allocators.size(), (thread) -> {
			allocators.get(thread).prepare();
			return thread;
		});
		long from = System.nanoTime() + GATHERING.toNanos();
		long to = from + slice.toNanos();
		return Calls.sum(Threads.run(allocators.size(), (thread) -> allocators.get(thread).run(way, key, from, to)));
	}

}
