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
 * Tests for {@link AllocationCase}.
 */
class AllocationCaseTests {

	private static final Duration TIME = Duration.ofMillis(500);

	private long next = 1;

	private AllocationCase allocationCase(int allocators) {
		return new AllocationCase("MySQL 8.0.33", Duration.ofMillis(5), allocators);
	}

	private void round(AllocationCase allocationCase, long meituanLeaf, long library, long statement) {
		add(allocationCase, AllocationMethod.MEITUAN_LEAF, meituanLeaf, 0);
		add(allocationCase, AllocationMethod.LIBRARY, library, 1);
		add(allocationCase, AllocationMethod.STATEMENT, statement, 2);
	}

	private void add(AllocationCase allocationCase, AllocationMethod method, long calls, long failed) {
		List<AllocatedSegment> segments = LongStream.range(0, calls)
			.mapToObj((call) -> new AllocatedSegment(this.next++, this.next))
			.toList();
		allocationCase.add(method, new Calls(calls, failed, segments), TIME);
	}

	@Test
	void rowShowsMediansAndTheRatiosWithinARound() {
		AllocationCase allocationCase = allocationCase(64);
		round(allocationCase, 10, 20, 40);
		round(allocationCase, 100, 150, 160);
		round(allocationCase, 20, 50, 60);
		assertThat(allocationCase.row(5.26)).containsExactly("MySQL 8.0.33", "5.3", "64", "40", "100", "120", "2.00",
				"1.50 – 2.50", "0.83", "0, 3, 6", "610", "no overlap");
		assertThat(allocationCase.row(5.26)).hasSameSizeAs(AllocationCase.COLUMNS);
	}

	@Test
	void numberAllocatedTwiceIsRefused() {
		AllocationCase allocationCase = allocationCase(8);
		round(allocationCase, 10, 20, 40);
		this.next = 5;
		round(allocationCase, 1, 1, 1);
		assertThatIllegalStateException().isThrownBy(() -> allocationCase.row(5));
	}

	@Test
	void requiredRatioIsLowerForTwoHundredAllocators() {
		AllocationCase some = allocationCase(64);
		AllocationCase many = allocationCase(200);
		round(some, 100, 110, 120);
		round(many, 100, 110, 120);
		assertThat(some.requirement().isMet()).isFalse();
		assertThat(many.requirement().isMet()).isTrue();
		assertThat(many.requirement().work()).isEqualTo(
				"segments per second compared with the [transaction of Meituan's Leaf](#segments-per-second), MySQL, 5 ms added to each round trip");
	}

	@Test
	void titleContainsTheAddedRoundTrip() {
		assertThat(allocationCase(1).title()).isEqualTo("MySQL, 5 ms added to each round trip");
		assertThat(new AllocationCase("MySQL 8.0.33", Duration.ZERO, 1).title()).isEqualTo("MySQL");
	}

}
