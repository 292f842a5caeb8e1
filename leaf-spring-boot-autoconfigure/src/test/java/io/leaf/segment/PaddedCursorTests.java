/*
 * Copyright 2026 the Leaf project authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *      https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */

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
