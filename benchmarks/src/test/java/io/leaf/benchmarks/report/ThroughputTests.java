// SPDX-License-Identifier: Apache-2.0

package io.leaf.benchmarks.report;

import java.util.List;

import io.leaf.benchmarks.Verdict;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Throughput}.
 */
class ThroughputTests {

	private final Throughput throughput = new Throughput();

	private void add(Subject subject, double millions, double bytes) {
		this.throughput.add(subject, 2, new Sample(millions * 1e6, bytes, new Verdict(1000, 10, 0, -1), null));
	}

	@Test
	void aRowShowsTheRatioOfEachRoundNotThatOfTheMedians() {
		add(Subject.ATOMIC_LONG, 100, 0);
		add(Subject.STRICT, 90, 0);
		add(Subject.ATOMIC_LONG, 50, 0);
		add(Subject.STRICT, 60, 0);
		add(Subject.ATOMIC_LONG, 10, 0);
		add(Subject.STRICT, 10, 0);
		assertThat(table("segment-throughput").rows().get(0)).containsExactly("`IdSequence.nextId()`", "2", "1.00",
				"0.90 – 1.20", "60.0", "10.0 – 90.0", "0", "3,000", "30", "no duplicate");
	}

	@Test
	void aPeerThatFailedIsShownWithItsReason() {
		this.throughput.add(Subject.HUTOOL, 2, Sample.failed("Clock moved backwards"));
		assertThat(table("snowflake-throughput").rows())
			.containsExactly(List.of("Hutool `Snowflake`", "2", "", "", "", "", "", "", "", "Clock moved backwards"));
	}

	@Test
	void aPeersDuplicatesAreShown() {
		this.throughput.add(Subject.HUTOOL, 2, new Sample(1e6, 0, new Verdict(1000, 10, 3, -1), null));
		assertThat(table("snowflake-throughput").rows().get(0)).endsWith("3 of 10 compared IDs were issued twice");
	}

	@Test
	void theArrayOfABatchIsNoAllocationOfTheLibrary() {
		add(Subject.STRICT_BATCH, 1000, 8017.2);
		assertThat(allocation()).isEqualTo(0);
	}

	@Test
	void anObjectBesidesTheArrayIs() {
		add(Subject.STRICT_BATCH, 1000, 8040);
		assertThat(allocation()).isEqualTo(24);
	}

	@Test
	void anAllocationInEverySecondCallIsSeen() {
		add(Subject.STRICT, 100, 8);
		assertThat(allocation()).isEqualTo(8);
	}

	private double allocation() {
		return this.throughput.findings()
			.requirements()
			.stream()
			.filter((requirement) -> requirement.work().startsWith("allocation"))
			.findFirst()
			.orElseThrow()
			.seen()
			.get(0);
	}

	private Table table(String name) {
		return this.throughput.findings()
			.tables()
			.stream()
			.filter((table) -> table.name().equals(name))
			.findFirst()
			.orElseThrow();
	}

}
