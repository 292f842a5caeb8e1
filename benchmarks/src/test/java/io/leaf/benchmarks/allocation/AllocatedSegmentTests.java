// SPDX-License-Identifier: Apache-2.0

package io.leaf.benchmarks.allocation;

import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link AllocatedSegment}.
 */
class AllocatedSegmentTests {

	@Test
	void adjacentSegmentsAreDisjoint() {
		List<AllocatedSegment> segments = List.of(new AllocatedSegment(2001, 3001), new AllocatedSegment(1, 1001),
				new AllocatedSegment(1001, 2001));
		assertThat(AllocatedSegment.overlaps(segments)).isZero();
		assertThat(AllocatedSegment.check(segments)).isEqualTo("no overlap");
	}

	@Test
	void equalSegmentsOverlap() {
		assertThat(AllocatedSegment.overlaps(List.of(new AllocatedSegment(1, 1001), new AllocatedSegment(1001, 2001),
				new AllocatedSegment(1, 1001))))
			.isEqualTo(1);
	}

	@Test
	void segmentsThatShareOneNumberOverlap() {
		assertThat(AllocatedSegment.overlaps(List.of(new AllocatedSegment(1000, 2000), new AllocatedSegment(1, 1001))))
			.isEqualTo(1);
	}

	@Test
	void segmentOverlapsWithALongSegmentThatIsNotThePreviousOne() {
		assertThat(AllocatedSegment.overlaps(
				List.of(new AllocatedSegment(1, 1000), new AllocatedSegment(10, 20), new AllocatedSegment(30, 40))))
			.isEqualTo(2);
	}

	@Test
	void overlapFailsTheCheck() {
		assertThatIllegalStateException()
			.isThrownBy(
					() -> AllocatedSegment.check(List.of(new AllocatedSegment(1, 1001), new AllocatedSegment(1, 1001))))
			.withMessageContaining("1 of 2 segments");
	}

}
