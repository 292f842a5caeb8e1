// SPDX-License-Identifier: Apache-2.0

package io.leaf.benchmarks.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import io.leaf.benchmarks.Ledger;
import io.leaf.benchmarks.Verdict;
import io.leaf.benchmarks.report.Subject.Origin;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.BenchmarkList;
import org.openjdk.jmh.runner.BenchmarkListEntry;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * Runs the {@link Subject}s in rounds. In each round every subject gets one fork for each
 * number of threads, so that what is compared runs within seconds of each other.
 */
final class JmhRounds {

	private static final String ALLOCATION = "gc.alloc.rate.norm";

	private final Settings settings;

	/**
	 * Creates a run.
	 * @param settings how long and how often to measure
	 */
	JmhRounds(Settings settings) {
		this.settings = settings;
	}

	/**
	 * Runs all rounds. Takes minutes.
	 * @return what was measured
	 * @throws RunnerException if a benchmark of ours failed, or issued an ID twice
	 * @throws IOException if a fork's verdict cannot be read
	 */
	Throughput run() throws RunnerException, IOException {
		List<Subject> subjects = subjects();
		Throughput throughput = new Throughput();
		for (int round = 1; round <= this.settings.rounds(); round++) {
			for (int threads : this.settings.threads()) {
				for (Subject subject : subjects) {
					Sample sample = fork(subject, threads, throughput);
					throughput.add(subject, threads, sample);
					report(round, threads, subject, sample);
				}
			}
			// who comes first is not always the same
			Collections.reverse(subjects);
		}
		return throughput;
	}

	private List<Subject> subjects() {
		Set<String> present = BenchmarkList.defaultList()
			.getAll(OutputFormatFactory.createFormatInstance(System.out, VerboseMode.SILENT), List.of())
			.stream()
			.map(BenchmarkListEntry::getUsername)
			.collect(Collectors.toSet());
		List<Subject> subjects = new ArrayList<>();
		for (Subject subject : Subject.values()) {
			if (!this.settings.include().matcher(subject.name()).find()) {
				continue;
			}
			if (present.contains(subject.benchmark())) {
				subjects.add(subject);
			}
			else {
				System.out.println("There is no benchmark " + subject.benchmark());
			}
		}
		return subjects;
	}

	private Sample fork(Subject subject, int threads, Throughput throughput) throws RunnerException, IOException {
		Path verdict = Files.createTempFile("verdict", ".txt");
		try {
			RunResult result = new Runner(options(subject, threads, verdict).build()).runSingle();
			throughput.add(subject, threads, result);
			return sample(subject, result, read(verdict));
		}
		catch (RunnerException ex) {
			if (subject.origin() != Origin.PEER) {
				throw ex;
			}
			return Sample.failed(cause(ex));
		}
		finally {
			Files.delete(verdict);
		}
	}

	private ChainedOptionsBuilder options(Subject subject, int threads, Path verdict) {
		ChainedOptionsBuilder options = new OptionsBuilder().include("^" + Pattern.quote(subject.benchmark()) + "$")
			.mode(Mode.Throughput)
			.threads(threads)
			.forks(1)
			.warmupIterations(1)
			.warmupTime(TimeValue.milliseconds(this.settings.warmup().toMillis()))
			.measurementIterations(this.settings.iterations())
			.measurementTime(TimeValue.milliseconds(this.settings.time().toMillis()))
			.jvmArgs(Settings.jvmArgs().toArray(String[]::new))
			.jvmArgsAppend("-D" + Ledger.FILE_PROPERTY + "=" + verdict)
			.addProfiler(GCProfiler.class)
			.shouldFailOnError(true)
			.verbosity(VerboseMode.SILENT);
		subject.parameters().forEach(options::param);
		return options;
	}

	private static Sample sample(Subject subject, RunResult result, @Nullable Verdict verdict) {
		BenchmarkParams params = result.getParams();
		// JMH counts operations, of which a call may be several
		int operations = params.getOpsPerInvocation();
		double calls = median(result.getPrimaryResult()) / operations;
		// the last measurement counts what the benchmark allocates once the fork has
		// ended
		double bytes = median(Objects.requireNonNull(result.getSecondaryResults().get(ALLOCATION))) * operations;
		return new Sample(calls * subject.idsPerCall(), bytes, verdict, null);
	}

	private static double median(Result<?> result) {
		return result.getStatistics().getPercentile(50);
	}

	private static @Nullable Verdict read(Path file) throws IOException {
		return (Files.size(file) > 0) ? Verdict.read(file) : null;
	}

	private static String cause(Throwable ex) {
		Throwable cause = ex;
		while (cause.getCause() != null) {
			cause = cause.getCause();
		}
		return (cause.getMessage() != null) ? cause.getMessage() : cause.getClass().getSimpleName();
	}

	private void report(int round, int threads, Subject subject, Sample sample) {
		String outcome = (sample.failure() != null) ? sample.failure()
				: Spread.number(sample.idsPerSecond() / 1e6, 1) + " million a second";
		System.out.printf("round %d of %d, %d threads, %s: %s%n", round, this.settings.rounds(), threads,
				subject.title(), outcome);
	}

}
