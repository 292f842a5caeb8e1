// SPDX-License-Identifier: Apache-2.0

package io.leaf.test.autoconfigure.application;

import io.leaf.test.TestIdGenerator;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.data.r2dbc.test.autoconfigure.DataR2dbcTest;
import org.springframework.data.r2dbc.core.R2dbcEntityTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * In this slice Leaf's own generator would also require a JDBC database.
 */
@DataR2dbcTest(properties = { "spring.r2dbc.url=r2dbc:h2:mem:///test-ids?options=DB_CLOSE_DELAY=-1",
		"spring.sql.init.schema-locations=classpath:io/leaf/data/notes.sql" })
class DataR2dbcSliceTests {

	@Test
	void savesWithId(@Autowired R2dbcEntityTemplate template, @Autowired TestIdGenerator ids) {
		assertThat(template.insert(new Note(null, "a")).block()).isEqualTo(new Note(1L, "a"));
		assertThat(ids.issued("note")).containsExactly(1);
	}

}
