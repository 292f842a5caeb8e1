// SPDX-License-Identifier: Apache-2.0

package io.leaf.autoconfigure.slice;

import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.autoconfigure.data.r2dbc.DataR2dbcTest;
import org.springframework.data.r2dbc.core.R2dbcEntityTemplate;
import org.springframework.data.relational.core.query.Query;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that entities get their IDs in a {@link DataR2dbcTest}. Spring Boot configures no
 * {@code DataSource} if R2DBC is used, so the test configures one for Leaf.
 */
@DataR2dbcTest(
		properties = { "leaf.segment.datasource.url=jdbc:h2:mem:r2dbc-slice", "leaf.segment.auto-create.enabled=true",
				"spring.r2dbc.url=r2dbc:h2:mem:///r2dbc-slice-notes?options=DB_CLOSE_DELAY=-1",
				"spring.sql.init.schema-locations=classpath:io/leaf/data/notes.sql" })
class DataR2dbcSliceBoot3Tests {

	@Test
	void savesWithId(@Autowired R2dbcEntityTemplate template) {
		assertThat(template.insert(new Note(null, "a")).block()).isEqualTo(new Note(1L, "a"));
		assertThat(template.select(Query.empty(), Note.class).collectList().block()).containsExactly(new Note(1L, "a"));
	}

}
