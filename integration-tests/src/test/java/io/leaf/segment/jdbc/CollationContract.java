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

package io.leaf.segment.jdbc;

import java.time.Duration;

import io.leaf.SegmentUnavailableException;
import io.leaf.segment.SegmentIdGenerator;
import io.leaf.segment.SegmentRow;
import io.leaf.segment.SegmentSettings;
import io.leaf.segment.SegmentStore;
import io.leaf.segment.SegmentStoreException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What {@link JdbcSegmentStore} must do besides on a database whose collations equate
 * keys that differ.
 */
abstract class CollationContract extends JdbcSegmentStoreContract {

	private void createTable(String collation) {
		JdbcTemplate jdbc = new JdbcTemplate(dataSource());
		jdbc.execute("DROP TABLE IF EXISTS leaf_alloc");
		jdbc.execute(
				"CREATE TABLE leaf_alloc (biz_tag VARCHAR(128) CHARACTER SET utf8mb4 COLLATE %s NOT NULL PRIMARY KEY, max_id BIGINT NOT NULL, step INT NOT NULL)"
					.formatted(collation));
	}

	@ParameterizedTest
	@CsvSource(quoteCharacter = '"', textBlock = """
			utf8mb4_general_ci, Order,    order
			utf8mb4_unicode_ci, café,     cafe
			utf8mb4_bin,        "order ", order
			""")
	void aKeyThatTheCollationEquatesWithAnotherIsRefusedWithThatRow(String collation, String key, String present) {
		createTable(collation);
		put(present, 1, 10);
		String[] words = { "'" + key + "'", "row of key '" + present + "'", "COLLATE utf8mb4_bin" };
		assertThatExceptionOfType(SegmentStoreException.class).isThrownBy(() -> store().find(key))
			.withMessageContainingAll(words)
			.satisfies((ex) -> assertThat(ex.isRefusal()).isTrue());
		assertThat(store().find(present)).isEqualTo(new SegmentRow(present, 1, 10));
		for (int step : new int[] { 0, 1000 }) {
			try (SegmentIdGenerator generator = generator(store(), step)) {
				assertThatExceptionOfType(SegmentUnavailableException.class).isThrownBy(() -> generator.nextId(key))
					.withMessageContainingAll(words)
					.withMessageNotContaining("Add one");
			}
		}
	}

	private static SegmentIdGenerator generator(SegmentStore store, int autoCreateStep) {
		SegmentSettings s = SegmentSettings.DEFAULTS;
		SegmentIdGenerator generator = new SegmentIdGenerator(store,
				new SegmentSettings(s.prefetchAt(), s.targetDuration(), s.maxStep(), Duration.ofSeconds(30),
						s.refreshInterval(), false, true, autoCreateStep, s.ordering()));
		generator.start();
		return generator;
	}

	@ParameterizedTest
	@CsvSource({ "Order, order", "café, cafe", "ORDER, Order" })
	void theShippedTableTellsThemApart(String one, String other) {
		new JdbcTemplate(dataSource()).execute("DROP TABLE IF EXISTS leaf_alloc");
		run(TableLayout.SHIPPED.ddl(platform()));
		put(one, 1, 10);
		store().create(other, 10, 500);
		assertThat(store().allocate(one, 10)).isEqualTo(new SegmentStore.Allocation(1, 11, 10));
		assertThat(store().allocate(other, 10)).isEqualTo(new SegmentStore.Allocation(500, 510, 10));
		assertThat(store().find(one)).isEqualTo(new SegmentRow(one, 11, 10));
	}

	@ParameterizedTest
	@CsvSource({ "Order, order" })
	void whatTheMessageAdvisesWorks(String one, String other) {
		createTable("utf8mb4_general_ci");
		put(one, 1, 10);
		String message = "";
		try {
			store().find(other);
		}
		catch (SegmentStoreException ex) {
			message = String.valueOf(ex.getMessage());
		}
		new JdbcTemplate(dataSource()).execute(message.substring(message.indexOf("ALTER TABLE")));
		store().create(other, 10, 500);
		assertThat(store().find(other)).isEqualTo(new SegmentRow(other, 500, 10));
	}

}
