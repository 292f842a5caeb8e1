// SPDX-License-Identifier: Apache-2.0

package io.leaf.benchmarks.report;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.function.ToDoubleFunction;

import io.leaf.benchmarks.Drawn;
import io.leaf.benchmarks.Ledger;
import io.leaf.benchmarks.SnowflakeBenchmark;
import io.leaf.benchmarks.peer.CosIdBenchmark;
import io.leaf.benchmarks.peer.HutoolBenchmark;
import io.leaf.benchmarks.report.Requirement.Bound;
import io.leaf.benchmarks.report.Requirement.Unit;

/**
 * How many snowflakes a second come out in the long run, where the layout is the limit,
 * and what they cost the processor. JMH tells neither: the lead refills between its
 * measurements, and time is not processor time.
 */
final class Sustained {

	/**
	 * What 12 bits allow in a second of 1,000 ticks.
	 */
	private static final double LIMIT = 4_096_000;

	/**
	 * How long to draw before measuring. The lead, 100 ms, is used up by then.
	 */
	private static final Duration DRAIN = Duration.ofMillis(400);

	/**
	 * How many IDs are drawn between two looks at the time.
	 */
	private static final int STRIDE = 64;

	private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

	private final Settings settings;

	/**
	 * Creates a measurement.
	 * @param settings how long and how often to measure
	 */
	Sustained(Settings settings) {
		this.settings = settings;
	}

	private static List<Source> sources() {
		return List.of(ours("snowflake, 1 lane", 1), cosId(), hutool(), ours("snowflake, 4 lanes", 4));
	}

	private static Source ours(String title, int lanes) {
		SnowflakeBenchmark benchmark = new SnowflakeBenchmark();
		benchmark.lanes = lanes;
		benchmark.lead = "PT0.1S";
		benchmark.setUp();
		return new Source(title, new Ledger(), benchmark::snowflake);
	}

	private static Source cosId() {
		Ledger ledger = new Ledger();
		CosIdBenchmark benchmark = new CosIdBenchmark();
		CosIdBenchmark.Snowflake snowflake = new CosIdBenchmark.Snowflake();
		snowflake.setUp(ledger);
		return new Source(Subject.COSID_SNOWFLAKE.title(), ledger, (drawn) -> benchmark.snowflake(snowflake, drawn));
	}

	private static Source hutool() {
		Ledger ledger = new Ledger();
		HutoolBenchmark benchmark = new HutoolBenchmark();
		benchmark.setUp(ledger);
		return new Source(Subject.HUTOOL.title(), ledger, benchmark::snowflake);
	}

	/**
	 * Measures in rounds, one source after the other.
	 * @return what was found
	 * @throws ExecutionException if a thread failed
	 * @throws InterruptedException if the calling thread was interrupted
	 */
	Findings measure() throws ExecutionException, InterruptedException {
		List<List<String>> rows = new ArrayList<>();
		List<Requirement> requirements = new ArrayList<>();
		for (int threads : this.settings.threads()) {
			Map<Source, List<Rate>> rates = rounds(threads);
			rates.forEach((source, rounds) -> rows.add(row(source, threads, rounds)));
			requirements.addAll(requirements(threads, List.copyOf(rates.values())));
		}
		return new Findings(List.of(new Table("sustained", List.of("generator", "threads", "of 4,096,000 a second",
				"spread", "processor ns an ID", "spread", "IDs drawn", "compared", "found"), rows)), requirements);
	}

	private Map<Source, List<Rate>> rounds(int threads) throws ExecutionException, InterruptedException {
		Map<Source, List<Drawn>> drawn = new LinkedHashMap<>();
		Map<Source, List<Rate>> rates = new LinkedHashMap<>();
		List<Source> sources = sources();
		for (Source source : sources) {
			drawn.put(source, source.begin(threads));
		}
		// a round for the compiler comes first
		for (int round = 0; round <= this.settings.rounds(); round++) {
			System.out.printf("sustained, round %d of %d, %d threads%n", round, this.settings.rounds(), threads);
			for (Source source : sources) {
				Rate rate = slice(source, drawn.getOrDefault(source, List.of()));
				if (round > 0) {
					rates.computeIfAbsent(source, (key) -> new ArrayList<>()).add(rate);
				}
			}
		}
		drawn.forEach(Source::end);
		return rates;
	}

	private Rate slice(Source source, List<Drawn> drawn) throws ExecutionException, InterruptedException {
		long from = System.nanoTime() + DRAIN.toNanos();
		long to = from + this.settings.slice().toNanos();
		return Threads.run(drawn.size(), (thread) -> draw(source, drawn.get(thread), from, to))
			.stream()
			.reduce(Rate.NONE, Rate::plus);
	}

	private static Rate draw(Source source, Drawn drawn, long from, long to) {
		while (System.nanoTime() < from) {
			source.draw(drawn);
		}
		long start = System.nanoTime();
		long processorStart = THREADS.getCurrentThreadCpuTime();
		long ids = 0;
		long end;
		do {
			for (int i = 0; i < STRIDE; i++) {
				source.draw(drawn);
			}
			ids += STRIDE;
			end = System.nanoTime();
		}
		while (end < to);
		return new Rate(ids / ((end - start) / 1e9), ids, THREADS.getCurrentThreadCpuTime() - processorStart);
	}

	private static List<String> row(Source source, int threads, List<Rate> rounds) {
		Spread share = spread(rounds, Rate::share);
		Spread cost = spread(rounds, Rate::cost);
		return List.of(source.title(), Integer.toString(threads), Spread.number(share.median(), 3), share.ends(3),
				Spread.number(cost.median(), 0), cost.ends(0), Spread.number(source.ledger().verdict().drawn(), 0),
				Spread.number(source.ledger().verdict().compared(), 0), source.found());
	}

	private static Spread spread(List<Rate> rounds, ToDoubleFunction<Rate> value) {
		return Spread.of(values(rounds, value));
	}

	private static List<Double> values(List<Rate> rounds, ToDoubleFunction<Rate> value) {
		return rounds.stream().map(value::applyAsDouble).toList();
	}

	// in the order of the sources
	private static List<Requirement> requirements(int threads, List<List<Rate>> rates) {
		List<Requirement> requirements = new ArrayList<>();
		List<Double> cost = values(rates.get(0), Rate::cost);
		requirements.add(new Requirement("snowflake, sustained, against the layout's limit", threads, Bound.AT_LEAST,
				0.995, Unit.RATIO, values(rates.get(0), Rate::share)));
		requirements.add(new Requirement("snowflake, sustained, processor time of an ID against CosId", threads,
				Bound.LESS_THAN, 1, Unit.RATIO, Spread.ratios(cost, values(rates.get(1), Rate::cost))));
		requirements.add(new Requirement("snowflake, sustained, processor time of an ID against Hutool", threads,
				Bound.LESS_THAN, 1, Unit.RATIO, Spread.ratios(cost, values(rates.get(2), Rate::cost))));
		if (threads == 2) {
			requirements.add(new Requirement("snowflake, sustained, 4 lanes against one", threads, Bound.AT_LEAST, 3,
					Unit.RATIO, Spread.ratios(values(rates.get(3), Rate::share), values(rates.get(0), Rate::share))));
		}
		return requirements;
	}

	/**
	 * What some threads have drawn together.
	 *
	 * @param idsPerSecond how many IDs a second
	 * @param ids how many IDs
	 * @param processorNanos how much time of the processor they took, in nanoseconds
	 */
	private record Rate(double idsPerSecond, long ids, long processorNanos) {

		private static final Rate NONE = new Rate(0, 0, 0);

		private Rate plus(Rate other) {
			return new Rate(this.idsPerSecond + other.idsPerSecond, this.ids + other.ids,
					this.processorNanos + other.processorNanos);
		}

		private double share() {
			return this.idsPerSecond / LIMIT;
		}

		private double cost() {
			return (double) this.processorNanos / this.ids;
		}

	}

}
