// SPDX-License-Identifier: Apache-2.0

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
	void changeTheGenerator() {
		this.ids.nextId("customer");
		this.ids.willFail("customer");
	}

	@RepeatedTest(2)
	void eachTestStartsFromOne() {
		Customer customer = new Customer();
		this.entityManager.persist(customer);
		this.entityManager.flush();
		assertThat(customer.getId()).isOne();
		assertThat(this.ids.issued("customer")).containsExactly(1);
	}

	@Test
	void noOtherGeneratorAndNoTableExist(@Autowired IdGenerator generator, @Autowired JdbcTemplate jdbcTemplate) {
		assertThat(generator).isSameAs(this.ids);
		assertThat(Tables.ofLeaf(jdbcTemplate)).isFalse();
	}

}
