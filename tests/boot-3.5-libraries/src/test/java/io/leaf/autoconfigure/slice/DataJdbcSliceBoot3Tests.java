// SPDX-License-Identifier: Apache-2.0

package io.leaf.autoconfigure.slice;

import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.autoconfigure.data.jdbc.DataJdbcTest;
import org.springframework.data.jdbc.core.JdbcAggregateOperations;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that entities get their IDs in a {@link DataJdbcTest}.
 */
@DataJdbcTest(properties = { "leaf.segment.auto-create.enabled=true",
		"spring.sql.init.schema-locations=classpath:io/leaf/data/notes.sql" })
class DataJdbcSliceBoot3Tests {

	@Test
	void savesWithId(@Autowired JdbcAggregateOperations operations) {
		assertThat(operations.save(new Note(null, "a"))).isEqualTo(new Note(1L, "a"));
		assertThat(operations.findById(1L, Note.class)).isEqualTo(new Note(1L, "a"));
	}

}
