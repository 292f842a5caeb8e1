// SPDX-License-Identifier: Apache-2.0

package io.leaf.benchmarks.generator;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

import io.leaf.benchmarks.DrawnIds;
import io.leaf.benchmarks.Settings;
import io.leaf.benchmarks.Spread;
import io.leaf.benchmarks.Threads;
import io.leaf.benchmarks.report.Requirement;
import io.leaf.benchmarks.report.Requirement.Bound;
import io.leaf.benchmarks.report.Requirement.Unit;
import io.leaf.benchmarks.report.Table;
import org.HdrHistogram.Histogram;

/**
 * The latency of single calls at 200,000 calls per second while every fetch takes 100 ms.
 * <p>
 * Calls are due on a fixed schedule, whether or not the previous call has returned.
 * Therefore a call that waits delays the calls after it, as in an application. Each call
 * is timed twice: from when it began, and from when it was due. The generators take turns
 * in slices of a quarter of a second, so that other load on the machine affects all of
 * them.
 */
public final class CallLatency {

	private static final int CALLS_PER_SECOND = 200_000;

	private static final Duration SLICE = Duration.ofMillis(250);

	/**
	 * How many slices each generator gets per round: 6 seconds or 1,200,000 calls, of
	 * which 120 are above the percentile.
	 */
	private static final int SLICES = 24;

	/**
	 * The time in which all threads of a slice start.
	 */
	private static final Duration START_DELAY = Duration.ofMillis(5);

	private static final double PERCENTILE = 99.99;

	private static final List<Integer> THREADS = List.of(1, 2);

	private final Settings settings;

	/**
	 * Creates a measurement.
	 * @param settings the number of rounds
	 */
	public CallLatency(Settings settings) {
		this.settings = settings;
	}

	/**
	 * Measures in rounds, in which the generators take turns.
	 * @return the tables
	 * @throws ExecutionException if a thread failed
	 * @throws InterruptedException if the calling thread was interrupted
	 */
	public List<Table> measure() throws ExecutionException, InterruptedException {
		List<List<String>> rows = new ArrayList<>();
		List<Requirement> requirements = new ArrayList<>();
		for (int threads : THREADS) {
			Map<IdSource, List<Latencies>> latencies = rounds(threads);
			latencies.forEach((source, rounds) -> {
				Latencies all = rounds.stream().reduce(new Latencies(), Latencies::plus);
				rows.add(row(source, threads, "its start", all.fromStart()));
				rows.add(row(source, threads, "when it was due", all.fromDue()));
			});
			requirements.addAll(requirements(threads, List.copyOf(latencies.values())));
		}
		return List.of(Requirement.table(requirements), new Table("segment-latency", List.of("generator", "threads",
				"measured from", "p50 µs", "p99 µs", "p99.9 µs", "p99.99 µs", "max µs", "calls", "found"), rows));
	}

	private Map<IdSource, List<Latencies>> rounds(int threads) throws ExecutionException, InterruptedException {
		Map<IdSource, List<DrawnIds>> drawn = new LinkedHashMap<>();
		Map<IdSource, List<Latencies>> latencies = new LinkedHashMap<>();
		for (IdSource source : CallLatencySources.create()) {
			drawn.put(source, source.begin(threads));
			latencies.put(source, new ArrayList<>());
		}
		// round 0 is the warm-up of the compiler
		for (int round = 0; round <= this.settings.rounds(); round++) {
			System.out.printf("segment-latency, round %d of %d, %d threads%n", round, this.settings.rounds(), threads);
			latencies.values().forEach((rounds) -> rounds.add(new Latencies()));
			for (int slice = 0; slice < SLICES; slice++) {
				for (Map.Entry<IdSource, List<Latencies>> entry : latencies.entrySet()) {
					List<Latencies> rounds = entry.getValue();
					Latencies result = slice(entry.getKey(), drawn.getOrDefault(entry.getKey(), List.of()));
					rounds.set(rounds.size() - 1, rounds.get(rounds.size() - 1).plus(result));
				}
			}
			if (round == 0) {
				latencies.values().forEach(List::clear);
			}
		}
		drawn.forEach(IdSource::end);
		return latencies;
	}

	private static Latencies slice(IdSource source, List<DrawnIds> drawn)
			throws ExecutionException, InterruptedException {
		int threads = drawn.size();
		long interval = TimeUnit.SECONDS.toNanos(1) / CALLS_PER_SECOND;
		long from = System.nanoTime() + START_DELAY.toNanos();
		long calls = SLICE.toNanos() / interval / threads;
		return Threads
			.run(threads,
					(thread) -> call(source, drawn.get(thread), from + thread * interval, threads * interval, calls))
			.stream()
			.reduce(new Latencies(), Latencies::plus);
	}

	private static Latencies call(IdSource source, DrawnIds drawn, long from, long interval, long calls) {
		Latencies latencies = new Latencies();
		long due = from;
		for (long call = 0; call < calls; call++) {
			long begin;
			while ((begin = System.nanoTime()) < due) {
				Thread.onSpinWait();
			}
			source.draw(drawn);
			long end = System.nanoTime();
			latencies.fromStart().recordValue(end - begin);
			latencies.fromDue().recordValue(end - due);
			due += interval;
		}
		return latencies;
	}

	private static List<String> row(IdSource source, int threads, String from, Histogram latencies) {
		return List.of(source.title(), Integer.toString(threads), from, micros(latencies.getValueAtPercentile(50)),
				micros(latencies.getValueAtPercentile(99)), micros(latencies.getValueAtPercentile(99.9)),
				micros(latencies.getValueAtPercentile(PERCENTILE)), micros(latencies.getMaxValue()),
				Spread.format(latencies.getTotalCount(), 0), source.found());
	}

	private static String micros(long nanos) {
		return Spread.format(nanos / 1e3, 2);
	}

	// The latencies are in the order of the sources. Only the time from the start of a
	// call has a requirement. Measured from when calls were due, the rounds of the bare
	// counter differ by more than the generators do, because of other load on the
	// machine.
	private static List<Requirement> requirements(int threads, List<List<Latencies>> latencies) {
		List<Latencies> counter = latencies.get(0);
		List<Latencies> sequence = latencies.get(1);
		return List.of(requirement("p99.99 against `AtomicLong`", threads,
				sequence.stream().map(Latencies::fromStart).toList(),
				counter.stream().map(Latencies::fromStart).toList()));
	}

	private static Requirement requirement(String work, int threads, List<Histogram> subject,
			List<Histogram> baseline) {
		return new Requirement(work, threads, Bound.AT_MOST, 2, Unit.RATIO,
				Spread.ratios(percentiles(subject), percentiles(baseline)));
	}

	private static List<Double> percentiles(List<Histogram> rounds) {
		return rounds.stream().map((round) -> (double) round.getValueAtPercentile(PERCENTILE)).toList();
	}

	/**
	 * The latencies of some calls in nanoseconds.
	 *
	 * @param fromStart from the start of a call
	 * @param fromDue from when it was due
	 */
	private record Latencies(Histogram fromStart, Histogram fromDue) {

		private static final long MAX = TimeUnit.MINUTES.toNanos(10);

		private static final int DIGITS = 3;

		private Latencies() {
			this(new Histogram(MAX, DIGITS), new Histogram(MAX, DIGITS));
		}

		private Latencies plus(Latencies other) {
			Latencies sum = new Latencies();
			sum.fromStart.add(this.fromStart);
			sum.fromStart.add(other.fromStart);
			sum.fromDue.add(this.fromDue);
			sum.fromDue.add(other.fromDue);
			return sum;
		}

	}

}
