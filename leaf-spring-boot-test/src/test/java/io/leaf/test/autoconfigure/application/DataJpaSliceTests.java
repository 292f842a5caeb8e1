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
import jakarta.persistence.EntityManager;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.data.jpa.test.autoconfigure.DataJpaTest;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;

@DataJpaTest
class DataJpaSliceTests {

	@Autowired
	private TestIdGenerator ids;

	@Autowired
	private EntityManager entityManager;

	@AfterEach
	void leaveSomethingBehind() {
		this.ids.nextId("customer");
		this.ids.willFail("customer");
	}

	@RepeatedTest(2)
	void eachTestStartsAnew() {
		Customer customer = new Customer();
		this.entityManager.persist(customer);
		this.entityManager.flush();
		assertThat(customer.getId()).isOne();
		assertThat(this.ids.issued("customer")).containsExactly(1);
	}

	@Test
	void thereIsNothingElse(@Autowired IdGenerator generator, @Autowired JdbcTemplate jdbcTemplate) {
		assertThat(generator).isSameAs(this.ids);
		assertThat(Tables.ofLeaf(jdbcTemplate)).isFalse();
	}

}
