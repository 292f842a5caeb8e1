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

package io.leaf.test.autoconfigure.application;

import io.leaf.test.TestIdGenerator;
import org.junit.jupiter.api.RepeatedTest;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.data.jdbc.test.autoconfigure.DataJdbcTest;
import org.springframework.data.jdbc.core.JdbcAggregateOperations;

import static org.assertj.core.api.Assertions.assertThat;

@DataJdbcTest(properties = "spring.sql.init.schema-locations=classpath:io/leaf/data/notes.sql")
class DataJdbcSliceTests {

	@RepeatedTest(2)
	void savesWithId(@Autowired JdbcAggregateOperations operations, @Autowired TestIdGenerator ids) {
		assertThat(operations.save(new Note(null, "a"))).isEqualTo(new Note(1L, "a"));
		assertThat(ids.issued("note")).containsExactly(1);
	}

}
