// SPDX-License-Identifier: Apache-2.0

package io.leaf.it.faults;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * The results of a run, as a page. Thread-safe.
 */
final class FaultReport {

	private final Map<FaultKind, List<Measurement>> measurements = new EnumMap<>(FaultKind.class);

	private final Map<FaultKind, String> missing = new EnumMap<>(FaultKind.class);

	private final List<String> facts = new ArrayList<>();

	synchronized void add(FaultKind kind, Measurement measurement) {
		this.measurements.computeIfAbsent(kind, (key) -> new ArrayList<>()).add(measurement);
	}

	/**
	 * Records that a fault cannot be injected on this machine.
	 */
	synchronized void missing(FaultKind kind, String reason) {
		this.missing.put(kind, reason);
	}

	synchronized Map<FaultKind, String> missing() {
		return this.missing;
	}

	synchronized int injected(FaultKind kind) {
		return this.measurements.getOrDefault(kind, List.of()).size();
	}

	/**
	 * Adds a line above the table.
	 */
	synchronized void fact(String format, Object... arguments) {
		this.facts.add(format.formatted(arguments));
	}

	@Override
	public synchronized String toString() {
		StringBuilder page = new StringBuilder("# Process faults\n\n");
		this.facts.forEach((fact) -> page.append("- ").append(fact).append('\n'));
		page.append("\nIn milliseconds. Gap: the longest time between two served calls of one mode in one process."
				+ " Served: from the fault's end until each had served a call."
				+ " Renewed: until each had a new segment or a later horizon from its store.\n\n");
		page.append("| fault | injected | lasted, longest | gap, longest | gap, median | served, longest"
				+ " | served, median | renewed, longest | renewed, median |\n|---|---|---|---|---|---|---|---|---|\n");
		this.measurements
			.forEach((kind, all) -> page.append("| %s | %d | %d | %d | %d | %d | %d | %d | %d |%n".formatted(kind,
					all.size(), longest(all, Measurement::length), longest(all, Measurement::gap),
					median(all, Measurement::gap), longest(all, Measurement::served), median(all, Measurement::served),
					longest(all, Measurement::renewed), median(all, Measurement::renewed))));
		this.missing.forEach((kind, reason) -> page.append("| %s | NOT INJECTED: %s |%n".formatted(kind, reason)));
		return page.toString();
	}

	private static long longest(List<Measurement> all, Function<Measurement, Duration> value) {
		return sorted(all, value)[all.size() - 1];
	}

	private static long median(List<Measurement> all, Function<Measurement, Duration> value) {
		return sorted(all, value)[(all.size() - 1) / 2];
	}

	private static long[] sorted(List<Measurement> all, Function<Measurement, Duration> value) {
		return all.stream().map(value).mapToLong(Duration::toMillis).sorted().toArray();
	}

	/**
	 * The effect of one fault.
	 *
	 * @param length how long it lasted
	 * @param gap the longest time without a served call
	 * @param served how long after its end calls were served
	 * @param renewed how long after its end the stores had provided something new
	 */
	record Measurement(Duration length, Duration gap, Duration served, Duration renewed) {

		@Override
		public String toString() {
			return "lasted %d ms, gap %d ms, served after %d ms, renewed after %d ms".formatted(this.length.toMillis(),
					this.gap.toMillis(), this.served.toMillis(), this.renewed.toMillis());
		}

	}

}
