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

import io.leaf.IdGenerator;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.jdbc.test.autoconfigure.JdbcTest;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that there is an {@link IdGenerator} in a {@link JdbcTest}.
 */
@JdbcTest(properties = "leaf.segment.auto-create.enabled=true")
class JdbcSliceTests {

	@Test
	void issuesIds(@Autowired IdGenerator generator, @Autowired JdbcTemplate jdbcTemplate) {
		assertThat(generator.nextId("customer")).isEqualTo(1);
		assertThat(jdbcTemplate.queryForObject("SELECT max_id FROM leaf_alloc WHERE biz_tag = 'customer'", Long.class))
			.isGreaterThan(1);
	}

}
