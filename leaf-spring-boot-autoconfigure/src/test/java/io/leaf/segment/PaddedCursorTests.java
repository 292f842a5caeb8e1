// SPDX-License-Identifier: Apache-2.0

package io.leaf.segment;

import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.openjdk.jol.info.ClassLayout;
import org.openjdk.jol.info.FieldLayout;

import static org.assertj.core.api.Assertions.assertThat;

class PaddedCursorTests {

	private static final int TWO_CACHE_LINES = 128;

	@Test
	void theCursorOfASegmentSharesItsCacheLinesWithNoOtherField() {
		ClassLayout layout = ClassLayout.parseClass(Segment.class);
		FieldLayout cursor = fields(layout).filter((field) -> field.name().equals("cursor")).findFirst().orElseThrow();
		List<FieldLayout> others = fields(layout).filter((field) -> !field.name().matches("cursor|[ab]\\d\\d"))
			.toList();
		assertThat(others).extracting(FieldLayout::name).contains("limit", "to", "successor");
		assertThat(others).allSatisfy((field) -> assertThat(Math.abs(field.offset() - cursor.offset()))
			.isGreaterThanOrEqualTo(TWO_CACHE_LINES));
		assertThat(cursor.offset()).as("distance to the header").isGreaterThanOrEqualTo(TWO_CACHE_LINES);
	}

	private static Stream<FieldLayout> fields(ClassLayout layout) {
		return layout.fields().stream();
	}

}
