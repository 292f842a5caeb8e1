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

import io.leaf.IdGenerator;
import io.leaf.test.TestIdGenerator;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.jdbc.test.autoconfigure.JdbcTest;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;

@JdbcTest
class JdbcSliceTests {

	@Test
	void issuesIds(@Autowired IdGenerator generator, @Autowired JdbcTemplate jdbcTemplate) {
		assertThat(generator).isInstanceOf(TestIdGenerator.class);
		assertThat(generator.nextIds("customer", 2)).containsExactly(1, 2);
		assertThat(Tables.ofLeaf(jdbcTemplate)).isFalse();
	}

}
