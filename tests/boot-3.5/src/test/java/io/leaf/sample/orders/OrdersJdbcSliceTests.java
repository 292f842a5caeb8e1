// SPDX-License-Identifier: Apache-2.0

package io.leaf.sample.orders;

import io.leaf.IdGenerator;
import io.leaf.test.TestIdGenerator;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.autoconfigure.jdbc.JdbcTest;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that a {@link JdbcTest} gets predictable IDs on Spring Boot 3.5.
 */
@JdbcTest
class OrdersJdbcSliceTests {

	@Test
	void issuesIds(@Autowired IdGenerator generator) {
		assertThat(generator).isInstanceOf(TestIdGenerator.class);
		assertThat(generator.nextIds("order", 2)).containsExactly(1, 2);
	}

}
