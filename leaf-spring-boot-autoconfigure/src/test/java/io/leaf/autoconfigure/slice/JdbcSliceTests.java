// SPDX-License-Identifier: Apache-2.0

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
