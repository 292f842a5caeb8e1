// SPDX-License-Identifier: Apache-2.0

package io.leaf.simulation;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

/**
 * Plays schedules, one per seed, and adds up their results.
 */
final class Schedules {

	private final WorldKind kind;

	private final long end;

	private final AtomicLong next;

	private final Map<Fault, Long> faults = new EnumMap<>(Fault.class);

	private long played;

	private long ids;

	private @Nullable String failure;

	private long failedSeed = Long.MAX_VALUE;

	private Schedules(WorldKind kind, long first, long count) {
		this.kind = kind;
		this.next = new AtomicLong(first);
		this.end = first + count;
	}

	/**
	 * Plays the schedules of consecutive seeds. Stops when a schedule fails.
	 * @param kind the kind of world
	 * @param first the first seed
	 * @param count the number of seeds
	 * @param threads the number of threads
	 */
	static Schedules play(WorldKind kind, long first, long count, int threads) {
		Schedules schedules = new Schedules(kind, first, count);
		List<Thread> started = new ArrayList<>();
		for (int i = 0; i < threads; i++) {
			Thread thread = new SimulationThread(schedules::play, "simulation-" + i);
			thread.start();
			started.add(thread);
		}
		try {
			for (Thread thread : started) {
				thread.join();
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException("Interrupted", ex);
		}
		return schedules;
	}

	/**
	 * Plays one schedule, and returns its complete trace.
	 */
	static String trace(WorldKind kind, long seed) {
		StringBuilder trace = new StringBuilder();
		Schedules schedules = new Schedules(kind, seed, 1);
		Thread thread = new SimulationThread(() -> trace.append(schedules.traceOf(seed)), "simulation-trace");
		thread.start();
		try {
			thread.join();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		return trace.toString();
	}

	private void play() {
		Map<Fault, Long> faults = new EnumMap<>(Fault.class);
		long ids = 0;
		long played = 0;
		for (long seed = this.next.getAndIncrement(); seed < this.end; seed = this.next.getAndIncrement()) {
			World world = new World(seed, new Trace(false));
			SharedStoreWorld<?> schedule = this.kind.create(world);
			schedule.play();
			played++;
			ids += schedule.issuedIds();
			schedule.faults().counts().forEach((fault, count) -> faults.merge(fault, (long) count, Long::sum));
			if (world.violation() != null) {
				this.next.set(this.end);
				fail(seed, "Seed %d: %s%n%s".formatted(seed, world.violation(), traceOf(seed)));
			}
		}
		add(faults, played, ids);
	}

	private String traceOf(long seed) {
		Trace trace = new Trace(true);
		World world = new World(seed, trace);
		this.kind.create(world).play();
		return trace.toString();
	}

	private synchronized void fail(long seed, String failure) {
		if (seed < this.failedSeed) {
			this.failedSeed = seed;
			this.failure = failure;
		}
	}

	private synchronized void add(Map<Fault, Long> faults, long played, long ids) {
		faults.forEach((fault, count) -> this.faults.merge(fault, count, Long::sum));
		this.played += played;
		this.ids += ids;
	}

	/**
	 * Returns the failure of the schedule with the lowest seed that failed, with its
	 * trace, or {@code null} if no schedule failed.
	 */
	synchronized @Nullable String failure() {
		return this.failure;
	}

	/**
	 * Returns how often each kind of fault has happened.
	 */
	synchronized Map<Fault, Long> faults() {
		return new EnumMap<>(this.faults);
	}

	synchronized long played() {
		return this.played;
	}

	synchronized long ids() {
		return this.ids;
	}

	@Override
	public synchronized String toString() {
		return "%,d schedules, %,d IDs; %s".formatted(this.played, this.ids,
				this.faults.entrySet()
					.stream()
					.map((entry) -> "%s %,d".formatted(entry.getKey(), entry.getValue()))
					.collect(Collectors.joining(", ")));
	}

}
