// SPDX-License-Identifier: Apache-2.0

package io.leaf.benchmarks.generator;

import java.util.List;

import io.leaf.benchmarks.IdCheckResult;
import io.leaf.benchmarks.generator.Subject.Family;
import io.leaf.benchmarks.generator.Throughput.Fork;
import io.leaf.benchmarks.report.Requirement;
import io.leaf.benchmarks.report.Table;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Throughput}.
 */
class ThroughputTests {

	private final Throughput segments = new Throughput(Family.SEGMENT);

	private final Throughput snowflakes = new Throughput(Family.SNOWFLAKE);

	private void add(Subject subject, double millions, double bytes) {
		this.segments.add(subject, 2, new Fork(millions * 1e6, bytes, new IdCheckResult(1000, 10, 0, -1), null));
	}

	@Test
	void ratioIsTheMedianOfTheRatiosOfEachRound() {
		add(Subject.ATOMIC_LONG, 100, 0);
		add(Subject.STRICT, 90, 0);
		add(Subject.ATOMIC_LONG, 50, 0);
		add(Subject.STRICT, 60, 0);
		add(Subject.ATOMIC_LONG, 10, 0);
		add(Subject.STRICT, 10, 0);
		assertThat(table(this.segments).rows().get(0)).containsExactly("`IdSequence.nextId()`", "2", "1.00",
				"0.90 – 1.20", "60.0", "10.0 – 90.0", "0", "3,000", "30", "no duplicate");
	}

	@Test
	void failureOfAPeerIsShownWithItsReason() {
		this.snowflakes.add(Subject.HUTOOL, 2, Fork.failed("Clock moved backwards"));
		assertThat(table(this.snowflakes).rows())
			.containsExactly(List.of("Hutool `Snowflake`", "2", "", "", "", "", "", "", "", "Clock moved backwards"));
	}

	@Test
	void duplicatesOfAPeerAreShown() {
		this.snowflakes.add(Subject.HUTOOL, 2, new Fork(1e6, 0, new IdCheckResult(1000, 10, 3, -1), null));
		assertThat(table(this.snowflakes).rows().get(0)).endsWith("3 of 10 compared IDs were issued twice");
	}

	@Test
	void arrayOfABatchIsNotCountedAsAllocation() {
		add(Subject.STRICT_BATCH, 1000, 8017.2);
		assertThat(allocation()).isEqualTo(0);
	}

	@Test
	void objectInAdditionToTheArrayIsCountedAsAllocation() {
		add(Subject.STRICT_BATCH, 1000, 8040);
		assertThat(allocation()).isEqualTo(24);
	}

	@Test
	void allocationInEverySecondCallIsCounted() {
		add(Subject.STRICT, 100, 8);
		assertThat(allocation()).isEqualTo(8);
	}

	@Test
	void requirementsAreThoseOfTheFamily() {
		add(Subject.ATOMIC_LONG, 100, 0);
		add(Subject.STRICT, 96, 0);
		assertThat(this.segments.tables().get(0).rows())
			.contains(List.of("strict against `AtomicLong`", "2", "at least 0.95 ×", "0.960 ×", "0.960 – 0.960", "yes"))
			.noneMatch((row) -> row.get(0).startsWith("snowflake"));
		assertThat(this.snowflakes.tables().get(0).rows()).isNotEmpty()
			.allMatch((row) -> row.get(0).startsWith("snowflake"));
	}

	private double allocation() {
		Requirement requirement = this.segments.allocations().findFirst().orElseThrow();
		return requirement.results().get(0);
	}

	private static Table table(Throughput throughput) {
		return throughput.tables().get(1);
	}

}
