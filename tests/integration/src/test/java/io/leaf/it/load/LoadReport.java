// SPDX-License-Identifier: Apache-2.0

package io.leaf.it.load;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToLongFunction;

import io.leaf.it.load.LoadResult.Segments;

/**
 * The figures of a run, as a page.
 */
final class LoadReport {

	private final List<LoadResult> results = new ArrayList<>();

	void add(List<LoadResult> results) {
		this.results.addAll(results);
		this.results.sort(Comparator.comparing(LoadResult::kind).thenComparing(LoadResult::part));
	}

	/**
	 * Returns the page.
	 * @param facts what it says above the tables
	 */
	String page(String facts) {
		StringBuilder page = new StringBuilder("# Load\n\n").append(facts).append("\n\n");
		page.append("| callers | what they ask for | IDs | IDs/s | longest call, ms | in the first quarter, ms"
				+ " | calls over 10 ms | calls that waited | longest check, ms |\n|---|---|---|---|---|---|---|---|---|\n");
		for (LoadResult result : this.results) {
			page.append("| %s | %s | %,d | %,d | %s | %s | %,d | %s | %s |%n".formatted(callers(result), result.part(),
					result.ids(), Math.round(result.ids() * 1e9 / result.nanos()), millis(result.longest()),
					millis(result.first()), result.slow(), ofSegments(result, Segments::waits),
					millis(result.pause())));
		}
		page.append(
				"\n| callers | what they ask for | fetches | statements | heap at a quarter, KB | heap at the end, KB"
						+ " | threads of the library |\n|---|---|---|---|---|---|---|\n");
		for (LoadResult result : this.results) {
			page.append("| %s | %s | %s | %,d | %,d | %,d | %d |%n".formatted(callers(result), result.part(),
					ofSegments(result, Segments::fetches), result.statements(), result.heapAtQuarter() / 1024,
					result.heapAtEnd() / 1024, result.threads()));
		}
		return page.toString();
	}

	private static String callers(LoadResult result) {
		return "%s, JDK %d".formatted(result.kind(), result.jdk());
	}

	private static String ofSegments(LoadResult result, ToLongFunction<Segments> value) {
		return (result.segments() != null) ? "%,d".formatted(value.applyAsLong(result.segments())) : "–";
	}

	private static String millis(long nanos) {
		return "%,.1f".formatted(nanos / 1e6);
	}

}
