// SPDX-License-Identifier: Apache-2.0

package io.leaf.benchmarks.generator;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import io.leaf.benchmarks.IdCheck;
import io.leaf.benchmarks.IdCheckResult;
import io.leaf.benchmarks.Settings;
import io.leaf.benchmarks.Spread;
import io.leaf.benchmarks.generator.Subject.Family;
import io.leaf.benchmarks.generator.Subject.Origin;
import io.leaf.benchmarks.generator.Throughput.Fork;
import io.leaf.benchmarks.report.Table;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.results.format.ResultFormatFactory;
import org.openjdk.jmh.results.format.ResultFormatType;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * Runs JMH benchmarks in rounds. In each round every benchmark gets one fork for each
 * number of threads, so that benchmarks that are compared run within seconds of each
 * other. Every second round runs them in reverse order.
 */
public final class JmhRounds {

	private static final String ALLOCATION = "gc.alloc.rate.norm";

	private final Settings settings;

	private final Path folder;

	/**
	 * Creates a run.
	 * @param settings the durations and the number of rounds
	 * @param folder the folder for JMH's own results
	 */
	public JmhRounds(Settings settings, Path folder) {
		this.settings = settings;
		this.folder = folder;
	}

	/**
	 * Runs all rounds of a family, which takes minutes, and writes JMH's own results,
	 * those of all rounds as forks of one run, to {@code jmh-<family>.json}.
	 * @param family the benchmarks to run
	 * @return the tables
	 * @throws RunnerException if a benchmark that is not a peer failed or issued an ID
	 * twice
	 * @throws IOException if the result of checking the IDs cannot be read
	 */
	public List<Table> run(Family family) throws RunnerException, IOException {
		List<Subject> subjects = Arrays.stream(Subject.values())
			.filter((subject) -> subject.family() == family)
			.filter((subject) -> this.settings.include().matcher(subject.name()).find())
			.collect(Collectors.toList());
		Throughput throughput = new Throughput(family);
		for (int round = 1; round <= this.settings.rounds(); round++) {
			for (int threads : this.settings.threads()) {
				for (Subject subject : subjects) {
					Fork fork = fork(subject, threads, throughput);
					throughput.add(subject, threads, fork);
					print(round, threads, subject, fork);
				}
			}
			Collections.reverse(subjects);
		}
		String file = "jmh-%s.json".formatted(family.name().toLowerCase(Locale.ROOT));
		ResultFormatFactory.getInstance(ResultFormatType.JSON, this.folder.resolve(file).toString())
			.writeOut(throughput.jmhResults());
		return throughput.tables();
	}

	private Fork fork(Subject subject, int threads, Throughput throughput) throws RunnerException, IOException {
		Path idCheck = Files.createTempFile("id-check", ".txt");
		try {
			RunResult result = new Runner(options(subject, threads, idCheck).build()).runSingle();
			throughput.add(subject, threads, result);
			return fork(subject, result, IdCheckResult.read(idCheck));
		}
		catch (RunnerException ex) {
			if (subject.origin() != Origin.PEER) {
				throw ex;
			}
			return Fork.failed(rootCause(ex));
		}
		finally {
			Files.delete(idCheck);
		}
	}

	private ChainedOptionsBuilder options(Subject subject, int threads, Path idCheck) {
		ChainedOptionsBuilder options = new OptionsBuilder().include("^" + Pattern.quote(subject.benchmark()) + "$")
			.mode(Mode.Throughput)
			.threads(threads)
			.forks(1)
			.warmupIterations(1)
			.warmupTime(TimeValue.milliseconds(this.settings.warmup().toMillis()))
			.measurementIterations(this.settings.iterations())
			.measurementTime(TimeValue.milliseconds(this.settings.time().toMillis()))
			.jvmArgs(jvmArgs())
			.jvmArgsAppend("-D" + IdCheck.FILE_PROPERTY + "=" + idCheck)
			.addProfiler(GCProfiler.class)
			.shouldFailOnError(true)
			.verbosity(VerboseMode.SILENT);
		subject.parameters().forEach(options::param);
		return options;
	}

	/**
	 * Returns the arguments of this JVM, without the settings, for the forks.
	 */
	private static String[] jvmArgs() {
		return ManagementFactory.getRuntimeMXBean()
			.getInputArguments()
			.stream()
			.filter((argument) -> !argument.startsWith("-D" + Settings.PREFIX))
			.toArray(String[]::new);
	}

	private static Fork fork(Subject subject, RunResult result, IdCheckResult ids) {
		BenchmarkParams params = result.getParams();
		// JMH counts operations, and a call may consist of several
		int operations = params.getOpsPerInvocation();
		double calls = median(result.getPrimaryResult()) / operations;
		// the last measurement includes what the benchmark allocates at the end of the
		// fork; the median does not
		double bytes = median(Objects.requireNonNull(result.getSecondaryResults().get(ALLOCATION))) * operations;
		return new Fork(calls * subject.idsPerCall(), bytes, ids, null);
	}

	private static double median(Result<?> result) {
		return result.getStatistics().getPercentile(50);
	}

	private static String rootCause(Throwable ex) {
		Throwable cause = ex;
		while (cause.getCause() != null) {
			cause = cause.getCause();
		}
		return (cause.getMessage() != null) ? cause.getMessage() : cause.getClass().getSimpleName();
	}

	private void print(int round, int threads, Subject subject, Fork fork) {
		String outcome = (fork.failure() != null) ? fork.failure()
				: Spread.format(fork.idsPerSecond() / 1e6, 1) + " million IDs per second";
		System.out.printf("round %d of %d, %d threads, %s: %s%n", round, this.settings.rounds(), threads,
				subject.title(), outcome);
	}

}
