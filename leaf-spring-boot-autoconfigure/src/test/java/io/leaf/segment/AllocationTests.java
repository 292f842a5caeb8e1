// SPDX-License-Identifier: Apache-2.0

package io.leaf.segment;

import io.leaf.segment.SegmentStore.Allocation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests the bounds of an allocated segment.
 */
class AllocationTests {

	@ParameterizedTest
	@CsvSource({ "-1, 1, 1", "1, 1, 1", "2, 1, 1", "0, 1, -1", "0, 9223370937343148032, 1" })
	void invalidBoundsAreRefused(long from, long to, long rowStep) {
		assertThatExceptionOfType(IllegalArgumentException.class).isThrownBy(() -> new Allocation(from, to, rowStep))
			.withMessage("Not a valid segment: from=%d to=%d step=%d".formatted(from, to, rowStep));
	}

	@Test
	void theSmallestAndTheLastSegmentAreValid() {
		assertThat(new Allocation(0, 1, 1).to()).isOne();
		assertThat(new Allocation(SegmentStore.MAX_END - 1, SegmentStore.MAX_END, 1).to())
			.isEqualTo(9223370937343148031L);
	}

}
