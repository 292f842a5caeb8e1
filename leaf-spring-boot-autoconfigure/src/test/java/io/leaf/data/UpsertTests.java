// SPDX-License-Identifier: Apache-2.0

package io.leaf.data;

import io.leaf.RecordingIdGenerator;
import io.leaf.data.LeafIdCallbackTests.Note;
import org.junit.jupiter.api.Test;

import org.springframework.data.jdbc.core.JdbcAggregateOperations;
import org.springframework.data.r2dbc.core.R2dbcEntityTemplate;
import org.springframework.data.relational.core.query.Query;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests upserts, which Spring Data has supported since the version in Spring Boot 4.1.
 */
class UpsertTests {

	@Test
	void upsertWithSpringDataJdbcGetsAnId() {
		LeafIdCallbackTests.runner().withBean(RecordingIdGenerator.class).run((context) -> {
			JdbcAggregateOperations operations = context.getBean(JdbcAggregateOperations.class);
			assertThat(operations.upsert(new Note(null, "a")).id()).isEqualTo(1001);
			operations.upsert(new Note(1001L, "b"));
			assertThat(operations.findAll(Note.class)).containsExactly(new Note(1001L, "b"));
		});
	}

	@Test
	void upsertWithSpringDataR2dbcGetsAnId() {
		ReactiveLeafIdCallbackTests.runner().withBean(RecordingIdGenerator.class).run((context) -> {
			R2dbcEntityTemplate template = context.getBean(R2dbcEntityTemplate.class);
			assertThat(template.upsert(new Note(null, "a")).block().id()).isEqualTo(1001);
			template.upsert(new Note(1001L, "b")).block();
			assertThat(template.select(Query.empty(), Note.class).collectList().block())
				.containsExactly(new Note(1001L, "b"));
		});
	}

}
