// SPDX-License-Identifier: Apache-2.0

package io.leaf.benchmarks.allocation;

import java.time.Duration;
import java.util.List;
import java.util.stream.LongStream;

import io.leaf.benchmarks.allocation.Allocator.Calls;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link Cell}.
 */
class CellTests {

	private static final Duration TIME = Duration.ofMillis(500);

	private long next = 1;

	private Cell cell(int allocators) {
		return new Cell("MySQL 8.0.33", Duration.ofMillis(5), allocators);
	}

	private void round(Cell cell, long deployedLeaf, long library, long statement) {
		add(cell, Way.DEPLOYED_LEAF, deployedLeaf, 0);
		add(cell, Way.LIBRARY, library, 1);
		add(cell, Way.STATEMENT, statement, 2);
	}

	private void add(Cell cell, Way way, long calls, long failed) {
		List<Block> blocks = LongStream.range(0, calls).mapToObj((call) -> new Block(this.next++, this.next)).toList();
		cell.add(way, new Calls(calls, failed, blocks), TIME);
	}

	@Test
	void aRowShowsTheMediansAndTheRatiosOfEachRound() {
		Cell cell = cell(64);
		round(cell, 10, 20, 40);
		round(cell, 100, 150, 160);
		round(cell, 20, 50, 60);
		assertThat(cell.row(5.26)).containsExactly("MySQL 8.0.33", "5.3", "64", "40", "100", "120", "2.00",
				"1.50 – 2.50", "0.83", "0, 3, 6", "610", "no overlap");
		assertThat(cell.row(5.26)).hasSameSizeAs(Cell.COLUMNS);
	}

	@Test
	void aNumberTakenTwiceEndsTheRun() {
		Cell cell = cell(8);
		round(cell, 10, 20, 40);
		this.next = 5;
		round(cell, 1, 1, 1);
		assertThatIllegalStateException().isThrownBy(() -> cell.row(5));
	}

	@Test
	void withTwoHundredAllocatorsAsManyAreEnough() {
		Cell some = cell(64);
		Cell many = cell(200);
		round(some, 100, 110, 120);
		round(many, 100, 110, 120);
		assertThat(some.requirement().isMet()).isFalse();
		assertThat(many.requirement().isMet()).isTrue();
		assertThat(many.requirement().work())
			.isEqualTo("allocation against deployed Leaf's transaction, MySQL, 5 ms away");
	}

	@Test
	void theDistanceIsNamedIfThereIsOne() {
		assertThat(cell(1).title()).isEqualTo("MySQL, 5 ms away");
		assertThat(new Cell("MySQL 8.0.33", Duration.ZERO, 1).title()).isEqualTo("MySQL");
	}

}
