// SPDX-License-Identifier: Apache-2.0

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
