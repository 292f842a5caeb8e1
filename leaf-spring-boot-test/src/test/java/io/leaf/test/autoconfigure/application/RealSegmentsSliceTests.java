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

import io.leaf.segment.SegmentIdGenerator;
import io.leaf.test.autoconfigure.TestIdGeneratorAutoConfiguration;
import jakarta.persistence.EntityManager;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.data.jpa.test.autoconfigure.DataJpaTest;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A slice with Leaf's own generator.
 */
@DataJpaTest(excludeAutoConfiguration = TestIdGeneratorAutoConfiguration.class,
		properties = { "leaf.segment.auto-create.enabled=true", "spring.datasource.url=jdbc:h2:mem:real-segments" })
class RealSegmentsSliceTests {

	@Test
	void idsComeFromTheTable(@Autowired EntityManager entityManager, @Autowired JdbcTemplate jdbcTemplate,
			@Autowired SegmentIdGenerator generator) {
		Customer customer = new Customer();
		entityManager.persist(customer);
		entityManager.flush();
		assertThat(customer.getId()).isOne();
		assertThat(generator.nextId("customer")).isEqualTo(2);
		assertThat(Tables.ofLeaf(jdbcTemplate)).isTrue();
	}

}
