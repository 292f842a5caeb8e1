// SPDX-License-Identifier: Apache-2.0

package io.leaf.actuate;

import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import io.leaf.actuate.LeafEndpoint.Report;
import io.leaf.actuate.LeafEndpoint.SegmentReport;
import io.leaf.segment.InMemorySegmentStore;
import io.leaf.segment.SegmentIdGenerator;
import io.leaf.segment.TestSettings;
import io.leaf.snowflake.SnowflakeLayout;
import io.leaf.text.IdFormats;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link LeafEndpoint} with a table of many rows.
 */
class LeafEndpointPagesTests {

	private static final int ROWS = 250;

	private final InMemorySegmentStore store = new InMemorySegmentStore();

	@AutoClose
	private final SegmentIdGenerator generator = new SegmentIdGenerator(this.store, TestSettings.DEFAULTS);

	private final LeafEndpoint endpoint = new LeafEndpoint("orders", this.generator, null, null, SnowflakeLayout.LEAF,
			new IdFormats(Map.of()));

	@BeforeEach
	void start() {
		IntStream.range(0, ROWS).forEach((i) -> this.store.put("key-%03d".formatted(i), 1, 100));
		this.generator.start();
		this.generator.nextId("key-249");
		this.generator.nextId("key-200");
	}

	private SegmentReport report(@Nullable List<String> keys, @Nullable String prefix, @Nullable Integer page,
			@Nullable Integer size) {
		SegmentReport report = this.endpoint.report(keys, prefix, page, size).segment();
		assertThat(report).isNotNull();
		return report;
	}

	@Test
	void theFirstPageBeginsWithTheKeysInUse() {
		SegmentReport report = report(null, null, null, null);
		assertThat(report.keys()).hasSize(100);
		assertThat(report.keys().keySet()).startsWith("key-200", "key-249", "key-000", "key-001");
		assertThat(report.total()).isEqualTo(ROWS);
		assertThat(report.inUse()).isEqualTo(2);
		assertThat(report.nextPage()).isEqualTo(1);
	}

	@Test
	void theLastPageHasTheRemainingKeys() {
		SegmentReport report = report(null, null, 2, null);
		assertThat(report.keys()).hasSize(50);
		assertThat(report.keys().keySet()).startsWith("key-198", "key-199", "key-201").endsWith("key-248");
		assertThat(report.nextPage()).isNull();
	}

	@Test
	void theReportOfUsedKeysIncludesNoOtherKey() {
		Report report = this.endpoint.usedKeys();
		assertThat(report.segment()).isNotNull();
		assertThat(report.segment().keys()).containsOnlyKeys("key-200", "key-249");
		assertThat(report.segment().total()).isEqualTo(ROWS);
		assertThat(report.segment().inUse()).isEqualTo(2);
	}

	@Test
	void unusedKeysAreFoundByAnyPartOfTheirNames() {
		SegmentReport found = this.endpoint.unusedKeys("Y-24", 3);
		assertThat(found).isNotNull();
		assertThat(found.total()).isEqualTo(10);
		assertThat(found.keys()).containsOnlyKeys("key-240", "key-241", "key-242");
		assertThat(this.endpoint.unusedKeys("249", 3)).isEqualTo(new SegmentReport(1, 0, null, Map.of()));
	}

	@Test
	void aPageAfterTheLastIsEmpty() {
		assertThat(report(null, null, Integer.MAX_VALUE, Integer.MAX_VALUE).keys()).isEmpty();
	}

	@Test
	void keysAreChosenByTheirPrefix() {
		SegmentReport report = report(null, "key-24", null, 5);
		assertThat(report.keys().keySet()).containsExactly("key-249", "key-240", "key-241", "key-242", "key-243");
		assertThat(report.total()).isEqualTo(10);
		assertThat(report.inUse()).isEqualTo(1);
		assertThat(report.nextPage()).isEqualTo(1);
	}

	@Test
	void keysAreChosenByName() {
		SegmentReport report = report(List.of("key-007", "unknown", "key-200"), null, null, null);
		assertThat(report.keys().keySet()).containsExactly("key-200", "key-007");
		assertThat(report.total()).isEqualTo(2);
		assertThat(report.nextPage()).isNull();
	}

	@Test
	void theReportInCodeIncludesAllKeys() {
		SegmentReport report = this.endpoint.report().segment();
		assertThat(report).isNotNull();
		assertThat(report.keys()).hasSize(ROWS);
		assertThat(report.nextPage()).isNull();
	}

	@Test
	void invalidPagesAndSizesAreRefused() {
		assertThatExceptionOfType(InvalidEndpointRequestException.class).isThrownBy(() -> report(null, null, -1, null))
			.withMessage("'page' is -1. 'page' must be 0 or more");
		assertThatExceptionOfType(InvalidEndpointRequestException.class).isThrownBy(() -> report(null, null, null, 0))
			.withMessage("'size' is 0. 'size' must be 1 or more");
	}

}
