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
