// SPDX-License-Identifier: Apache-2.0

package io.leaf.benchmarks.report;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

import io.leaf.benchmarks.Verdict;
import io.leaf.benchmarks.report.Requirement.Bound;
import io.leaf.benchmarks.report.Requirement.Unit;
import io.leaf.benchmarks.report.Subject.Family;
import io.leaf.benchmarks.report.Subject.Origin;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.RunResult;

/**
 * What JMH has measured, round by round.
 */
final class Throughput {

	private static final double MILLION = 1e6;

	private static final int BYTES_PER_ID = 8;

	private static final int ARRAY_HEADER = 16;

	private static final int SMALLEST_OBJECT = 16;

	private final Map<Key, List<Sample>> samples = new LinkedHashMap<>();

	private final Map<Key, List<RunResult>> results = new LinkedHashMap<>();

	void add(Subject subject, int threads, Sample sample) {
		this.samples.computeIfAbsent(new Key(subject, threads), (key) -> new ArrayList<>()).add(sample);
	}

	void add(Subject subject, int threads, RunResult result) {
		this.results.computeIfAbsent(new Key(subject, threads), (key) -> new ArrayList<>()).add(result);
	}

	/**
	 * Returns JMH's own results, those of all rounds as forks of one run.
	 */
	Collection<RunResult> results() {
		return this.results.values().stream().map(Throughput::merge).toList();
	}

	private static RunResult merge(List<RunResult> rounds) {
		List<BenchmarkResult> forks = rounds.stream().flatMap((round) -> round.getBenchmarkResults().stream()).toList();
		return new RunResult(rounds.get(0).getParams(), forks);
	}

	/**
	 * Returns the numbers of threads that were measured with, ascending.
	 */
	List<Integer> threads() {
		TreeSet<Integer> threads = new TreeSet<>();
		this.samples.keySet().forEach((key) -> threads.add(key.threads()));
		return List.copyOf(threads);
	}

	/**
	 * Returns how many IDs a second a subject yielded in each round, NaN where it failed.
	 * @param subject the subject
	 * @param threads the number of threads
	 * @return the rates, none if it was not measured
	 */
	List<Double> rates(Subject subject, int threads) {
		return values(subject, threads, Sample::idsPerSecond);
	}

	private List<Double> values(Subject subject, int threads, ToDoubleFunction<Sample> value) {
		return samples(subject, threads).stream().map(value::applyAsDouble).toList();
	}

	private List<Sample> samples(Subject subject, int threads) {
		return this.samples.getOrDefault(new Key(subject, threads), List.of());
	}

	Findings findings() {
		return new Findings(
				List.of(table("segment-throughput", Family.SEGMENT), table("snowflake-throughput", Family.SNOWFLAKE)),
				Stream.concat(comparisons(), allocations()).toList());
	}

	private Stream<Requirement> comparisons() {
		return Comparison.ALL.stream()
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

	private Stream<Requirement> allocations() {
		return this.samples.keySet()
			.stream()
			.filter((key) -> key.subject().origin() == Origin.OURS)
			.sorted()
			.map((key) -> new Requirement("allocation of a call: " + key.subject().title(), key.threads(),
					Bound.AT_MOST, 0, Unit.BYTES,
					samples(key.subject(), key.threads()).stream()
						.map((sample) -> beyondResult(key, sample))
						.toList()));
	}

	/**
	 * Returns what a call allocated beyond the array it returns, in bytes. What the
	 * profiler and JMH allocate themselves is spread over the calls: less than half a
	 * byte a call, or, with calls as slow as a batch, less than the smallest object.
	 */
	private static double beyondResult(Key key, Sample sample) {
		int ids = key.subject().idsPerCall();
		double array = (ids > 1) ? ARRAY_HEADER + (double) ids * BYTES_PER_ID : 0;
		double beyond = sample.bytesPerCall() - array;
		return (beyond < ((ids > 1) ? SMALLEST_OBJECT : 0.5)) ? 0 : beyond;
	}

	private Table table(String name, Family family) {
		List<List<String>> rows = this.samples.keySet()
			.stream()
			.filter((key) -> key.subject().family() == family)
			.sorted()
			.map(this::row)
			.toList();
		return new Table(name, List.of("generator", "threads", "against " + family.limit().title(), "spread",
				"million IDs a second", "spread", "bytes a call", "IDs drawn", "compared", "found"), rows);
	}

	private List<String> row(Key key) {
		List<Double> rates = rates(key.subject(), key.threads()).stream().filter((rate) -> !rate.isNaN()).toList();
		List<String> row = new ArrayList<>(List.of(key.subject().title(), Integer.toString(key.threads())));
		if (rates.isEmpty()) {
			row.addAll(List.of("", "", "", "", "", "", "", found(key)));
			return row;
		}
		List<Double> ratios = Spread.ratios(rates(key.subject(), key.threads()),
				rates(key.subject().family().limit(), key.threads()));
		Spread rate = Spread.of(rates.stream().map((value) -> value / MILLION).toList());
		Spread bytes = Spread.of(values(key.subject(), key.threads(), Sample::bytesPerCall).stream()
			.filter((value) -> !value.isNaN())
			.toList());
		row.addAll((ratios.isEmpty()) ? List.of("", "")
				: List.of(Spread.number(Spread.of(ratios).median(), 2), Spread.of(ratios).ends(2)));
		row.addAll(List.of(Spread.number(rate.median(), 1), rate.ends(1), Spread.number(bytes.median(), 0)));
		List<Verdict> verdicts = verdicts(key);
		row.addAll(List.of(Spread.number(verdicts.stream().mapToLong(Verdict::drawn).sum(), 0),
				Spread.number(verdicts.stream().mapToLong(Verdict::compared).sum(), 0), found(key)));
		return row;
	}

	private List<Verdict> verdicts(Key key) {
		return samples(key.subject(), key.threads()).stream()
			.flatMap((sample) -> Stream.ofNullable(sample.verdict()))
			.toList();
	}

	private String found(Key key) {
		List<String> problems = samples(key.subject(), key.threads()).stream()
			.flatMap((sample) -> Stream.concat(Stream.ofNullable(sample.failure()),
					Stream.ofNullable(sample.verdict()).flatMap((verdict) -> Stream.ofNullable(verdict.problem()))))
			.distinct()
			.toList();
		return problems.isEmpty() ? verdicts(key).isEmpty() ? "" : "no duplicate" : String.join("; ", problems);
	}

	/**
	 * A subject with a number of threads.
	 *
	 * @param subject the subject
	 * @param threads the number of threads
	 */
	private record Key(Subject subject, int threads) implements Comparable<Key> {

		@Override
		public int compareTo(Key other) {
			int bySubject = this.subject.compareTo(other.subject);
			return (bySubject != 0) ? bySubject : Integer.compare(this.threads, other.threads);
		}

	}

}
