// SPDX-License-Identifier: Apache-2.0

package io.leaf.concurrency;

import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;

import org.openjdk.jcstress.JCStress;
import org.openjdk.jcstress.Options;
import org.openjdk.jcstress.infra.Status;
import org.openjdk.jcstress.infra.collectors.DiskReadCollector;
import org.openjdk.jcstress.infra.collectors.InProcessCollector;
import org.openjdk.jcstress.infra.collectors.TestResult;
import org.openjdk.jcstress.infra.grading.ReportUtils;

/**
 * Runs jcstress with the given options and prints a one-line summary. The output of
 * jcstress goes to {@code log.txt}, and its report pages go to {@code results}, both in
 * the working directory.
 */
final class RaceRun {

	private RaceRun() {
	}

	/**
	 * Runs the tests. Exits with status 1 unless each test has passed at least once and
	 * no run has failed. jcstress itself does not fail if a test could not run, for
	 * example on a single processor.
	 * @param arguments the options of jcstress
	 */
	public static void main(String[] arguments) throws Exception {
		PrintStream console = System.out;
		Path log = Path.of("log.txt").toAbsolutePath();
		Options options = new Options(arguments);
		Set<String> tests;
		try (PrintStream out = new PrintStream(Files.newOutputStream(log), true)) {
			System.setOut(out);
			if (!options.parse()) {
				// parse() has printed the reason
				System.exit(1);
			}
			JCStress jcstress = new JCStress(options);
			tests = jcstress.getTests();
			try {
				jcstress.run();
			}
			catch (AssertionError error) {
				// a test has failed; the results below show which one
			}
		}
		finally {
			System.setOut(console);
		}
		System.exit(report(tests, results(options), console, log) ? 0 : 1);
	}

	private static boolean report(Set<String> tests, Collection<TestResult> results, PrintStream console, Path log) {
		PrintWriter writer = new PrintWriter(console, true);
		Set<String> missing = new TreeSet<>(tests);
		boolean passed = !tests.isEmpty();
		long samples = 0;
		for (TestResult result : results) {
			samples += result.getTotalCount();
			if (result.status() == Status.NORMAL && result.grading().isPassed) {
				missing.remove(result.getName());
			}
			else {
				passed = false;
				ReportUtils.printResult(writer, result, true);
			}
		}
		for (String test : missing) {
			passed = false;
			console.println("Never passed: " + test);
		}
		console.printf(Locale.ROOT, "%d races, %d runs, %,d samples: %s (%s)%n", tests.size(), results.size(), samples,
				passed ? "no forbidden outcome" : "FAILED", log);
		return passed;
	}

	private static Collection<TestResult> results(Options options) throws IOException, ClassNotFoundException {
		InProcessCollector collector = new InProcessCollector();
		if (!Files.exists(Path.of(options.getResultFile()))) {
			return collector.getTestResults();
		}
		DiskReadCollector reader = new DiskReadCollector(options.getResultFile(), collector);
		reader.dump();
		reader.close();
		return collector.getTestResults();
	}

}
