// SPDX-License-Identifier: Apache-2.0

package io.leaf.test.autoconfigure.application;

import io.leaf.test.TestIdGenerator;
import org.junit.jupiter.api.RepeatedTest;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.data.jdbc.test.autoconfigure.DataJdbcTest;
import org.springframework.data.jdbc.core.JdbcAggregateOperations;

import static org.assertj.core.api.Assertions.assertThat;

@DataJdbcTest(properties = "spring.sql.init.schema-locations=classpath:io/leaf/data/notes.sql")
class DataJdbcSliceTests {

	@RepeatedTest(2)
	void savesWithId(@Autowired JdbcAggregateOperations operations, @Autowired TestIdGenerator ids) {
		assertThat(operations.save(new Note(null, "a"))).isEqualTo(new Note(1L, "a"));
		assertThat(ids.issued("note")).containsExactly(1);
	}

}
