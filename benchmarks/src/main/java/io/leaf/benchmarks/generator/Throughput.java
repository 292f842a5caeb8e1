// SPDX-License-Identifier: Apache-2.0

package io.leaf.benchmarks.generator;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

import io.leaf.benchmarks.IdCheckResult;
import io.leaf.benchmarks.Spread;
import io.leaf.benchmarks.generator.Subject.Family;
import io.leaf.benchmarks.generator.Subject.Origin;
import io.leaf.benchmarks.report.Requirement;
import io.leaf.benchmarks.report.Requirement.Bound;
import io.leaf.benchmarks.report.Requirement.Unit;
import io.leaf.benchmarks.report.Table;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.RunResult;

/**
 * The forks of all rounds of one family of benchmarks, and the tables made of them.
 */
final class Throughput {

	private static final List<Comparison> COMPARISONS = List.of(
			new Comparison("strict against `AtomicLong`", Subject.STRICT, Subject.ATOMIC_LONG, always(0.95)),
			new Comparison("`IdGenerator.nextId(key)`, 50 keys, against `AtomicLong`", Subject.STRICT_BY_KEY,
					Subject.ATOMIC_LONG, always(0.85)),
			new Comparison("strict against CosId's `SegmentChainId`", Subject.STRICT, Subject.COSID_CHAIN,
					Map.of(1, 1.15, 2, 1.3)),
			new Comparison("segments from a Leaf server against those from MySQL", Subject.STRICT_ON_SERVER,
					Subject.STRICT_ON_TABLE, always(0.95)),
			new Comparison("striped against `AtomicLong`", Subject.STRIPED, Subject.ATOMIC_LONG, Map.of(2, 2.3)),
			new Comparison("`nextIds(1000)`, per ID, against `AtomicLong`", Subject.STRICT_BATCH, Subject.ATOMIC_LONG,
					always(20)),
			new Comparison("snowflake burst, one lane, against `System.currentTimeMillis`", Subject.BURST_1,
					Subject.CLOCK, Map.of(1, 0.75, 2, 0.45)),
			new Comparison("snowflake burst, two lanes, against `System.currentTimeMillis`", Subject.BURST_2,
					Subject.CLOCK, Map.of(2, 0.75)));

	private static final double MILLION = 1e6;

	private static final int BYTES_PER_ID = 8;

	private static final int ARRAY_HEADER = 16;

	private static final int SMALLEST_OBJECT = 16;

	private final Family family;

	private final Map<Key, List<Fork>> forks = new TreeMap<>();

	private final Map<Key, List<RunResult>> results = new TreeMap<>();

	Throughput(Family family) {
		this.family = family;
	}

	private static Map<Integer, Double> always(double ratio) {
		return Map.of(1, ratio, 2, ratio, 8, ratio);
	}

	void add(Subject subject, int threads, Fork fork) {
		this.forks.computeIfAbsent(new Key(subject, threads), (key) -> new ArrayList<>()).add(fork);
	}

	void add(Subject subject, int threads, RunResult result) {
		this.results.computeIfAbsent(new Key(subject, threads), (key) -> new ArrayList<>()).add(result);
	}

	/**
	 * Returns JMH's own results, those of all rounds as forks of one run.
	 */
	Collection<RunResult> jmhResults() {
		return this.results.values().stream().map(Throughput::merge).toList();
	}

	private static RunResult merge(List<RunResult> rounds) {
		List<BenchmarkResult> forks = rounds.stream().flatMap((round) -> round.getBenchmarkResults().stream()).toList();
		return new RunResult(rounds.get(0).getParams(), forks);
	}

	List<Table> tables() {
		List<Requirement> requirements = Stream.concat(comparisons(), allocations()).toList();
		return List.of(Requirement.table(requirements), table());
	}

	private Stream<Requirement> comparisons() {
		return COMPARISONS.stream()
			.filter((comparison) -> comparison.subject().family() == this.family)
			.flatMap((comparison) -> comparison.atLeast()
				.keySet()
				.stream()
				.sorted()
				.map((threads) -> requirement(comparison, threads)));
	}

	private Requirement requirement(Comparison comparison, int threads) {
		List<Double> ratios = Spread.ratios(rates(comparison.subject(), threads),
				rates(comparison.baseline(), threads));
		return new Requirement(comparison.work(), threads, Bound.AT_LEAST,
				Objects.requireNonNull(comparison.atLeast().get(threads)), Unit.RATIO, ratios);
	}

	Stream<Requirement> allocations() {
		return this.forks.entrySet()
			.stream()
			.filter((entry) -> entry.getKey().subject().origin() == Origin.LEAF)
			.map((entry) -> Requirement.noAllocation(generator(entry.getKey().subject()), entry.getKey().threads(),
					entry.getValue().stream().map((fork) -> bytesBeyondResult(entry.getKey(), fork)).toList()));
	}

	private static String generator(Subject subject) {
		return (subject.family() == Family.SNOWFLAKE) ? "snowflake " + subject.title() : subject.title();
	}

	/**
	 * Returns the number of bytes that a call allocated in addition to the array that it
	 * returns. The objects of the profiler and of JMH are spread over all calls: less
	 * than half a byte per call, or, for calls as slow as a batch, less than the smallest
	 * object. They are not counted.
	 */
	private static double bytesBeyondResult(Key key, Fork fork) {
		int ids = key.subject().idsPerCall();
		double array = (ids > 1) ? ARRAY_HEADER + (double) ids * BYTES_PER_ID : 0;
		double beyond = fork.bytesPerCall() - array;
		return (beyond < ((ids > 1) ? SMALLEST_OBJECT : 0.5)) ? 0 : beyond;
	}

	private Table table() {
		String name = (this.family == Family.SEGMENT) ? "segment-throughput" : "snowflake-throughput";
		return new Table(name,
				List.of("generator", "threads", "against " + this.family.limit().title(), "spread",
						"million IDs per second", "spread", "bytes per call", "IDs drawn", "compared", "found"),
				this.forks.entrySet().stream().map((entry) -> row(entry.getKey(), entry.getValue())).toList());
	}

	private List<String> row(Key key, List<Fork> forks) {
		List<String> row = new ArrayList<>(List.of(key.subject().title(), Integer.toString(key.threads())));
		List<Fork> measured = forks.stream().filter((fork) -> fork.failure() == null).toList();
		if (measured.isEmpty()) {
			row.addAll(List.of("", "", "", "", "", "", "", found(forks)));
			return row;
		}
		List<Double> ratios = Spread.ratios(rates(key.subject(), key.threads()),
				rates(this.family.limit(), key.threads()));
		row.addAll(ratios.isEmpty() ? List.of("", "")
				: List.of(Spread.format(Spread.of(ratios).median(), 2), Spread.of(ratios).range(2)));
		Spread millions = Spread.of(values(measured, (fork) -> fork.idsPerSecond() / MILLION));
		Spread bytes = Spread.of(values(measured, Fork::bytesPerCall));
		List<IdCheckResult> ids = measured.stream().flatMap((fork) -> Stream.ofNullable(fork.ids())).toList();
		row.addAll(List.of(Spread.format(millions.median(), 1), millions.range(1), Spread.format(bytes.median(), 0),
				Spread.format(ids.stream().mapToLong(IdCheckResult::drawn).sum(), 0),
				Spread.format(ids.stream().mapToLong(IdCheckResult::compared).sum(), 0), found(forks)));
		return row;
	}

	private List<Double> rates(Subject subject, int threads) {
		return values(this.forks.getOrDefault(new Key(subject, threads), List.of()), Fork::idsPerSecond);
	}

	private static List<Double> values(List<Fork> forks, ToDoubleFunction<Fork> value) {
		return forks.stream().map(value::applyAsDouble).toList();
	}

	private static String found(List<Fork> forks) {
		List<String> problems = forks.stream()
			.flatMap((fork) -> Stream.concat(Stream.ofNullable(fork.failure()),
					Stream.ofNullable(fork.ids()).flatMap((ids) -> Stream.ofNullable(ids.problem()))))
			.distinct()
			.toList();
		return problems.isEmpty() ? "no duplicate" : String.join("; ", problems);
	}

	/**
	 * The result of one fork.
	 *
	 * @param idsPerSecond the number of IDs per second that all threads drew in total;
	 * NaN if the fork failed
	 * @param bytesPerCall the number of bytes that a call allocated; NaN if the fork
	 * failed
	 * @param ids the result of checking the IDs, or {@code null} if the fork failed
	 * @param failure why the fork failed, or {@code null} if it did not
	 */
	record Fork(double idsPerSecond, double bytesPerCall, @Nullable IdCheckResult ids, @Nullable String failure) {

		static Fork failed(String failure) {
			return new Fork(Double.NaN, Double.NaN, null, failure);
		}

	}

	/**
	 * A required ratio of two benchmarks.
	 *
	 * @param work what is compared, in words
	 * @param subject the dividend
	 * @param baseline the divisor
	 * @param atLeast the minimum of the ratio, by the number of threads
	 */
	private record Comparison(String work, Subject subject, Subject baseline, Map<Integer, Double> atLeast) {

	}

	/**
	 * A benchmark with a number of threads.
	 *
	 * @param subject the benchmark
	 * @param threads the number of threads
	 */
	private record Key(Subject subject, int threads) implements Comparable<Key> {

		@Override
		public int compareTo(Key other) {
			return Comparator.comparing(Key::subject).thenComparing(Key::threads).compare(this, other);
		}

	}

}
