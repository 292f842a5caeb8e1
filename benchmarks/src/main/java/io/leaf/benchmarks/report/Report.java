// SPDX-License-Identifier: Apache-2.0

package io.leaf.benchmarks.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import io.leaf.benchmarks.allocation.AllocationRates;
import io.leaf.benchmarks.allocation.FirstIds;
import io.leaf.benchmarks.allocation.FirstMinute;
import io.leaf.benchmarks.report.Subject.Family;
import io.leaf.benchmarks.scale.ManyKeys;
import io.leaf.benchmarks.startup.StartUp;

/**
 * Measures everything, and writes the page, its files and its pictures.
 */
public final class Report {

	private final Settings settings;

	private final Page page;

	private final Path folder;

	private final Plots plots;

	private final List<Requirement> requirements = new ArrayList<>();

	private Report(Settings settings) {
		this.settings = settings;
		this.page = new Page(settings.docs().resolve("performance.md"));
		this.folder = settings.docs().resolve("performance");
		this.plots = new Plots(this.folder);
	}

	/**
	 * Measures what the system properties ask for.
	 * @param args none
	 * @throws Exception if a measurement failed, or a file cannot be written
	 */
	public static void main(String[] args) throws Exception {
		new Report(Settings.read()).run();
	}

	private void run() throws Exception {
		Files.createDirectories(this.folder);
		for (Part part : parts()) {
			if (this.settings.parts().matcher(part.name()).find()) {
				System.out.println("== " + part.name());
				Findings findings = part.measurement().run();
				for (Table table : findings.tables()) {
					write(table);
				}
				this.requirements.addAll(findings.requirements());
				// what this run leaves out stays as an earlier one has shown it
				write(this.page.merged(Requirement.table(this.requirements), 2));
				write(this.page.merged(Machine.table(part.name()), 1));
			}
		}
	}

	/**
	 * Returns what there is to measure, in this order.
	 */
	private List<Part> parts() {
		return List.of(new Part("throughput", this::throughput),
				new Part("sustained", () -> new Sustained(this.settings).measure()), new Part("tail", this::tail),
				new Part("database-allocation",
						() -> AllocationRates.measure(this.settings.rounds(), this.settings.allocation())),
				new Part("database-first-ids", () -> FirstIds.measure(this.settings.rounds())),
				new Part("database-first-minute", () -> FirstMinute.measure(this.settings.firstMinute())),
				new Part("many-keys", () -> Findings.of(ManyKeys.measure())),
				new Part("start-up", () -> Findings.of(StartUp.measure())));
	}

	private Findings throughput() throws Exception {
		Throughput throughput = new JmhRounds(this.settings).run();
		JsonFiles.write(this.folder.resolve("results.json"), throughput.results());
		this.plots.throughput("segment-throughput", "Segment IDs", Family.SEGMENT, throughput);
		this.plots.throughput("snowflake-throughput", "Snowflake IDs", Family.SNOWFLAKE, throughput);
		return throughput.findings();
	}

	private Findings tail() throws Exception {
		Tail tail = new Tail(this.settings);
		Findings findings = tail.measure();
		this.plots.tails("tail", "200,000 calls a second, while every fetch takes 100 ms", tail.curves());
		return findings;
	}

	private void write(Table table) throws IOException {
		JsonFiles.write(this.folder, table);
		this.page.write(table);
	}

	/**
	 * Something to measure.
	 *
	 * @param name its name, for the property {@code leaf.benchmarks.parts}
	 * @param measurement measures it
	 */
	private record Part(String name, Measurement measurement) {

	}

	/**
	 * Measures something.
	 */
	private interface Measurement {

		Findings run() throws Exception;

	}

}
