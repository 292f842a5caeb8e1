// SPDX-License-Identifier: Apache-2.0

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
 * Selects Leaf's own generator in one slice.
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
