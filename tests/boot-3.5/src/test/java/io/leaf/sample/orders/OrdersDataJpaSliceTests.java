// SPDX-License-Identifier: Apache-2.0

package io.leaf.sample.orders;

import io.leaf.test.TestIdGenerator;
import org.junit.jupiter.api.RepeatedTest;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.autoconfigure.orm.jpa.DataJpaTest;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that entities get predictable IDs in a {@link DataJpaTest} on Spring Boot 3.5.
 */
@DataJpaTest
class OrdersDataJpaSliceTests {

	@RepeatedTest(2)
	void savesWithId(@Autowired OrderRepository orders, @Autowired TestIdGenerator ids) {
		assertThat(orders.saveAndFlush(new Order("tea", 2)).getId()).isOne();
		assertThat(ids.issued("order")).containsExactly(1);
	}

}
