// SPDX-License-Identifier: Apache-2.0

package io.leaf.benchmarks.generator;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.function.ToDoubleFunction;

import io.leaf.benchmarks.DrawnIds;
import io.leaf.benchmarks.IdCheck;
import io.leaf.benchmarks.Settings;
import io.leaf.benchmarks.SnowflakeBenchmark;
import io.leaf.benchmarks.Spread;
import io.leaf.benchmarks.Threads;
import io.leaf.benchmarks.peer.CosIdBenchmark;
import io.leaf.benchmarks.peer.HutoolBenchmark;
import io.leaf.benchmarks.report.Requirement;
import io.leaf.benchmarks.report.Requirement.Bound;
import io.leaf.benchmarks.report.Requirement.Unit;
import io.leaf.benchmarks.report.Table;

/**
 * The sustained rate of snowflake IDs, which the layout limits, and the CPU time of an
 * ID. JMH measures neither: the lead refills between its measurements, and elapsed time
 * is not CPU time.
 */
public final class SustainedRate {

	/**
	 * IDs per second of one worker ID: 2^12 per millisecond.
	 */
	private static final double LIMIT = 4_096_000;

	/**
	 * How long IDs are drawn before the measurement, so that the lead of 100 ms is used
	 * up.
	 */
	private static final Duration DRAIN = Duration.ofMillis(400);

	/**
	 * How many IDs are drawn between two reads of the clock.
	 */
	private static final int STRIDE = 64;

	private static final ThreadMXBean THREAD_TIMES = ManagementFactory.getThreadMXBean();

	private final Settings settings;

	/**
	 * Creates a measurement.
	 * @param settings the durations and the number of rounds
	 */
	public SustainedRate(Settings settings) {
		this.settings = settings;
	}

	private static List<IdSource> sources() {
		return List.of(leaf("snowflake, 1 lane", 1), cosId(), hutool(), leaf("snowflake, 4 lanes", 4));
	}

	private static IdSource leaf(String title, int lanes) {
		SnowflakeBenchmark benchmark = new SnowflakeBenchmark();
		benchmark.lanes = lanes;
		benchmark.lead = "PT0.1S";
		benchmark.setUp();
		return new IdSource(title, new IdCheck(), benchmark::snowflake);
	}

	private static IdSource cosId() {
		IdCheck check = new IdCheck();
		CosIdBenchmark benchmark = new CosIdBenchmark();
		CosIdBenchmark.Snowflake snowflake = new CosIdBenchmark.Snowflake();
		snowflake.setUp(check);
		return new IdSource(Subject.COSID_SNOWFLAKE.title(), check, (drawn) -> benchmark.snowflake(snowflake, drawn));
	}

	private static IdSource hutool() {
		IdCheck check = new IdCheck();
		HutoolBenchmark benchmark = new HutoolBenchmark();
		benchmark.setUp(check);
		return new IdSource(Subject.HUTOOL.title(), check, benchmark::snowflake);
	}

	/**
	 * Measures in rounds, one generator after the other.
	 * @return the tables
	 * @throws ExecutionException if a thread failed
	 * @throws InterruptedException if the calling thread was interrupted
	 */
	public List<Table> measure() throws ExecutionException, InterruptedException {
		List<List<String>> rows = new ArrayList<>();
		List<Requirement> requirements = new ArrayList<>();
		for (int threads : this.settings.threads()) {
			Map<IdSource, List<Rate>> rates = rounds(threads);
			rates.forEach((source, rounds) -> rows.add(row(source, threads, rounds)));
			requirements.addAll(requirements(threads, List.copyOf(rates.values())));
		}
		return List.of(Requirement.table(requirements),
				new Table("snowflake-sustained", List.of("generator", "threads", "of 4,096,000 per second", "spread",
						"CPU ns per ID", "spread", "IDs drawn", "compared", "found"), rows));
	}

	private Map<IdSource, List<Rate>> rounds(int threads) throws ExecutionException, InterruptedException {
		Map<IdSource, List<DrawnIds>> drawn = new LinkedHashMap<>();
		Map<IdSource, List<Rate>> rates = new LinkedHashMap<>();
		List<IdSource> sources = sources();
		for (IdSource source : sources) {
			drawn.put(source, source.begin(threads));
		}
		// round 0 is the warm-up of the compiler
		for (int round = 0; round <= this.settings.rounds(); round++) {
			System.out.printf("snowflake-sustained, round %d of %d, %d threads%n", round, this.settings.rounds(),
					threads);
			for (IdSource source : sources) {
				Rate rate = slice(source, drawn.getOrDefault(source, List.of()));
				if (round > 0) {
					rates.computeIfAbsent(source, (key) -> new ArrayList<>()).add(rate);
				}
			}
		}
		drawn.forEach(IdSource::end);
		return rates;
	}

	private Rate slice(IdSource source, List<DrawnIds> drawn) throws ExecutionException, InterruptedException {
		long from = System.nanoTime() + DRAIN.toNanos();
		long to = from + this.settings.slice().toNanos();
		return Threads.run(drawn.size(), (thread) -> draw(source, drawn.get(thread), from, to))
			.stream()
			.reduce(Rate.NONE, Rate::plus);
	}

	private static Rate draw(IdSource source, DrawnIds drawn, long from, long to) {
		while (System.nanoTime() < from) {
			source.draw(drawn);
		}
		long start = System.nanoTime();
		long processorStart = THREAD_TIMES.getCurrentThreadCpuTime();
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
		return new Rate(ids / ((end - start) / 1e9), ids, THREAD_TIMES.getCurrentThreadCpuTime() - processorStart);
	}

	private static List<String> row(IdSource source, int threads, List<Rate> rounds) {
		Spread share = spread(rounds, Rate::share);
		Spread cost = spread(rounds, Rate::cost);
		return List.of(source.title(), Integer.toString(threads), Spread.format(share.median(), 3), share.range(3),
				Spread.format(cost.median(), 0), cost.range(0), Spread.format(source.check().result().drawn(), 0),
				Spread.format(source.check().result().compared(), 0), source.found());
	}

	private static Spread spread(List<Rate> rounds, ToDoubleFunction<Rate> value) {
		return Spread.of(values(rounds, value));
	}

	private static List<Double> values(List<Rate> rounds, ToDoubleFunction<Rate> value) {
		return rounds.stream().map(value::applyAsDouble).toList();
	}

	// the rates are in the order of sources()
	private static List<Requirement> requirements(int threads, List<List<Rate>> rates) {
		List<Requirement> requirements = new ArrayList<>();
		List<Double> cost = values(rates.get(0), Rate::cost);
		requirements.add(new Requirement("snowflake, sustained, against the layout's limit", threads, Bound.AT_LEAST,
				0.995, Unit.RATIO, values(rates.get(0), Rate::share)));
		requirements.add(new Requirement("snowflake, sustained, CPU time per ID compared with CosId", threads,
				Bound.LESS_THAN, 1, Unit.RATIO, Spread.ratios(cost, values(rates.get(1), Rate::cost))));
		requirements.add(new Requirement("snowflake, sustained, CPU time per ID compared with Hutool", threads,
				Bound.LESS_THAN, 1, Unit.RATIO, Spread.ratios(cost, values(rates.get(2), Rate::cost))));
		if (threads == 2) {
			requirements.add(new Requirement("snowflake, sustained, 4 lanes against one", threads, Bound.AT_LEAST, 3,
					Unit.RATIO, Spread.ratios(values(rates.get(3), Rate::share), values(rates.get(0), Rate::share))));
		}
		return requirements;
	}

	/**
	 * The result of several threads in total.
	 *
	 * @param idsPerSecond IDs per second
	 * @param ids the number of IDs
	 * @param processorNanos the CPU time in nanoseconds
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
