// SPDX-License-Identifier: Apache-2.0

package io.leaf.benchmarks.report;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

import io.leaf.benchmarks.Drawn;
import io.leaf.benchmarks.report.Requirement.Bound;
import io.leaf.benchmarks.report.Requirement.Unit;
import org.HdrHistogram.Histogram;

/**
 * How long single calls take at 200,000 calls a second while every fetch takes 100 ms.
 * <p>
 * Calls are due on a fixed schedule whether or not the one before has returned, so a call
 * that waits makes those behind it late, as it would in an application. Each call is
 * timed twice: from when it began, and from when it was due. The sources take turns in
 * slices of a quarter of a second, so that what the machine does besides hits all alike.
 */
final class Tail {

	private static final int CALLS_PER_SECOND = 200_000;

	private static final Duration SLICE = Duration.ofMillis(250);

	/**
	 * How many slices each source gets in a round: 6 seconds, 1,200,000 calls, of which
	 * 120 are beyond the percentile.
	 */
	private static final int SLICES = 24;

	/**
	 * For how long the threads of a slice gather.
	 */
	private static final Duration GATHERING = Duration.ofMillis(5);

	private static final double PERCENTILE = 99.99;

	private static final List<Integer> THREADS = List.of(1, 2);

	private final Settings settings;

	private final List<Curve> curves = new ArrayList<>();

	/**
	 * Creates a measurement.
	 * @param settings how often to measure
	 */
	Tail(Settings settings) {
		this.settings = settings;
	}

	/**
	 * Returns how long calls took from when they were due, once they are measured.
	 */
	List<Curve> curves() {
		return List.copyOf(this.curves);
	}

	/**
	 * Measures in rounds, the sources taking turns.
	 * @return what was found
	 * @throws ExecutionException if a thread failed
	 * @throws InterruptedException if the calling thread was interrupted
	 */
	Findings measure() throws ExecutionException, InterruptedException {
		List<List<String>> rows = new ArrayList<>();
		List<Requirement> requirements = new ArrayList<>();
		for (int threads : THREADS) {
			Map<Source, List<Latencies>> latencies = rounds(threads);
			latencies.forEach((source, rounds) -> {
				Latencies all = rounds.stream().reduce(new Latencies(), Latencies::plus);
				rows.add(row(source, threads, "its begin", all.fromBegin()));
				rows.add(row(source, threads, "when it was due", all.fromDue()));
				this.curves.add(new Curve(source.title(), threads, all.fromDue()));
			});
			requirements.addAll(requirements(threads, List.copyOf(latencies.values())));
		}
		return new Findings(List.of(new Table("tail", List.of("source", "threads", "counted from", "p50 µs", "p99 µs",
				"p99.9 µs", "p99.99 µs", "max µs", "calls", "found"), rows)), requirements);
	}

	private Map<Source, List<Latencies>> rounds(int threads) throws ExecutionException, InterruptedException {
		Map<Source, List<Drawn>> drawn = new LinkedHashMap<>();
		Map<Source, List<Latencies>> latencies = new LinkedHashMap<>();
		for (Source source : TailSources.create()) {
			drawn.put(source, source.begin(threads));
			latencies.put(source, new ArrayList<>());
		}
		// a round for the compiler comes first
		for (int round = 0; round <= this.settings.rounds(); round++) {
			System.out.printf("tail, round %d of %d, %d threads%n", round, this.settings.rounds(), threads);
			boolean counts = round > 0;
			latencies.values().forEach((rounds) -> rounds.add(new Latencies()));
			for (int slice = 0; slice < SLICES; slice++) {
				for (Map.Entry<Source, List<Latencies>> entry : latencies.entrySet()) {
					List<Latencies> rounds = entry.getValue();
					Latencies result = slice(entry.getKey(), drawn.getOrDefault(entry.getKey(), List.of()));
					rounds.set(rounds.size() - 1, rounds.get(rounds.size() - 1).plus(result));
				}
			}
			if (!counts) {
				latencies.values().forEach(List::clear);
			}
		}
		drawn.forEach(Source::end);
		return latencies;
	}

	private static Latencies slice(Source source, List<Drawn> drawn) throws ExecutionException, InterruptedException {
		int threads = drawn.size();
		long interval = TimeUnit.SECONDS.toNanos(1) / CALLS_PER_SECOND;
		long from = System.nanoTime() + GATHERING.toNanos();
		long calls = SLICE.toNanos() / interval / threads;
		return Threads
			.run(threads,
					(thread) -> call(source, drawn.get(thread), from + thread * interval, threads * interval, calls))
			.stream()
			.reduce(new Latencies(), Latencies::plus);
	}

	private static Latencies call(Source source, Drawn drawn, long from, long interval, long calls) {
		Latencies latencies = new Latencies();
		long due = from;
		for (long call = 0; call < calls; call++) {
			long begin;
			while ((begin = System.nanoTime()) < due) {
				Thread.onSpinWait();
			}
			source.draw(drawn);
			long end = System.nanoTime();
			latencies.fromBegin().recordValue(end - begin);
			latencies.fromDue().recordValue(end - due);
			due += interval;
		}
		return latencies;
	}

	private static List<String> row(Source source, int threads, String from, Histogram latencies) {
		return List.of(source.title(), Integer.toString(threads), from, micros(latencies.getValueAtPercentile(50)),
				micros(latencies.getValueAtPercentile(99)), micros(latencies.getValueAtPercentile(99.9)),
				micros(latencies.getValueAtPercentile(PERCENTILE)), micros(latencies.getMaxValue()),
				Spread.number(latencies.getTotalCount(), 0), source.found());
	}

	private static String micros(long nanos) {
		return Spread.number(nanos / 1e3, 2);
	}

	// In the order of the sources. From when calls were due, rounds of the bare counter
	// itself differ by more than what is compared: that shows the machine.
	private static List<Requirement> requirements(int threads, List<List<Latencies>> latencies) {
		List<Latencies> counter = latencies.get(0);
		List<Latencies> sequence = latencies.get(1);
		return List.of(requirement("p99.99 against `AtomicLong`", threads,
				sequence.stream().map(Latencies::fromBegin).toList(),
				counter.stream().map(Latencies::fromBegin).toList()));
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
	 * How long the calls of a source took.
	 *
	 * @param title the source, in Markdown
	 * @param threads by how many threads it was called
	 * @param nanos nanoseconds from when a call was due
	 */
	record Curve(String title, int threads, Histogram nanos) {

	}

	/**
	 * How long some calls took, in nanoseconds.
	 *
	 * @param fromBegin from when a call began
	 * @param fromDue from when it was due
	 */
	private record Latencies(Histogram fromBegin, Histogram fromDue) {

		private static final long MAX = TimeUnit.MINUTES.toNanos(10);

		private static final int DIGITS = 3;

		private Latencies() {
			this(new Histogram(MAX, DIGITS), new Histogram(MAX, DIGITS));
		}

		private Latencies plus(Latencies other) {
			Latencies sum = new Latencies();
			sum.fromBegin.add(this.fromBegin);
			sum.fromBegin.add(other.fromBegin);
			sum.fromDue.add(this.fromDue);
			sum.fromDue.add(other.fromDue);
			return sum;
		}

	}

}
