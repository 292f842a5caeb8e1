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
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.data.r2dbc.test.autoconfigure.DataR2dbcTest;
import org.springframework.data.r2dbc.core.R2dbcEntityTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Where Leaf's own generator would want a database for JDBC besides.
 */
@DataR2dbcTest(properties = { "spring.r2dbc.url=r2dbc:h2:mem:///test-ids?options=DB_CLOSE_DELAY=-1",
		"spring.sql.init.schema-locations=classpath:io/leaf/data/notes.sql" })
class DataR2dbcSliceTests {

	@Test
	void savesWithId(@Autowired R2dbcEntityTemplate template, @Autowired TestIdGenerator ids) {
		assertThat(template.insert(new Note(null, "a")).block()).isEqualTo(new Note(1L, "a"));
		assertThat(ids.issued("note")).containsExactly(1);
	}

}
