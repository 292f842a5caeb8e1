// SPDX-License-Identifier: Apache-2.0

package io.leaf.segment;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class SegmentTests {

	@Test
	void draw_returnsConsecutiveRanges() {
		Segment segment = new Segment(100, 200, 0.1, 0);
		assertThat(segment.draw()).isEqualTo(100);
		assertThat(segment.draw(5)).isEqualTo(101);
		assertThat(segment.draw()).isEqualTo(106);
		assertThat(segment.next()).isEqualTo(107);
	}

	@Test
	void draw_ofManyDoesNotMoveTheCursorOfAUsedUpSegment() {
		Segment segment = new Segment(SegmentStore.MAX_END - 10, SegmentStore.MAX_END, 0.1, 0);
		segment.draw(10);
		for (int i = 0; i < 1_200_000; i++) {
			long id = segment.draw(1_000_000);
			if (id < segment.limit()) {
				assertThat(id).as("attempt %d", i).isGreaterThanOrEqualTo(SegmentStore.MAX_END);
			}
		}
		assertThat(segment.next()).isEqualTo(SegmentStore.MAX_END);
	}

	@Test
	void claimMark_isTrueForTheOneRangeThatContainsTheMark() {
		Segment segment = new Segment(100, 200, 0.1, 0);
		assertThat(segment.limit()).isEqualTo(110);
		assertThat(segment.claimMark(100, 110)).isFalse();
		assertThat(segment.limit()).isEqualTo(110);
		assertThat(segment.claimMark(105, 111)).isTrue();
		assertThat(segment.limit()).isEqualTo(200);
		assertThat(segment.claimMark(111, 200)).isFalse();
	}

	@Test
	void mark_isAlwaysANumberOfTheSegment() {
		assertThat(new Segment(5, 6, 0, 0).limit()).isEqualTo(5);
		assertThat(new Segment(5, 6, 1, 0).limit()).isEqualTo(5);
		assertThat(new Segment(0, 10, 1, 0).limit()).isEqualTo(9);
		assertThat(new Segment(0, 10, 0, 0).limit()).isEqualTo(0);
		long end = SegmentStore.MAX_END;
		assertThat(new Segment(end - 1000, end, 0.1, 0).limit()).isEqualTo(end - 900);
	}

	@Test
	void empty_hasNoNumberBelowItsLimit() {
		Segment segment = Segment.empty();
		assertThat(segment.draw()).isGreaterThanOrEqualTo(segment.limit()).isGreaterThanOrEqualTo(segment.to());
	}

	@Test
	void fence_returnsTheFirstNumberNotIssuedAndNothingIsIssuedAfterwards() {
		Segment segment = new Segment(100, 200, 0.1, 0);
		segment.draw(30);
		assertThat(segment.fence()).isEqualTo(130);
		assertThat(segment.draw()).isGreaterThanOrEqualTo(200);
		assertThat(segment.next()).isEqualTo(200);
		assertThat(segment.fence()).as("a second time").isEqualTo(200);
	}

	@Test
	void fence_ofAUsedUpSegmentIsItsEnd() {
		Segment segment = new Segment(100, 200, 0.1, 0);
		segment.draw(1000);
		assertThat(segment.fence()).isEqualTo(200);
	}

}
