// SPDX-License-Identifier: Apache-2.0

package io.leaf.autoconfigure.slice;

import io.leaf.IdGenerator;
import jakarta.persistence.EntityManager;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.data.jpa.test.autoconfigure.DataJpaTest;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that there is an {@link IdGenerator} in a {@link DataJpaTest}.
 */
@DataJpaTest(properties = "leaf.segment.auto-create.enabled=true")
class DataJpaSliceTests {

	@Test
	void issuesIds(@Autowired IdGenerator generator, @Autowired EntityManager entityManager) {
		Customer customer = new Customer(generator.nextId("customer"));
		entityManager.persist(customer);
		entityManager.flush();
		assertThat(customer.getId()).isEqualTo(1);
		assertThat(generator.nextId("customer")).isEqualTo(2);
	}

}
