// SPDX-License-Identifier: Apache-2.0

package io.leaf.autoconfigure.slice;

import io.leaf.LeafId;
import org.apache.ibatis.annotations.Insert;
import org.apache.ibatis.session.SqlSessionFactory;
import org.junit.jupiter.api.Test;
import org.mybatis.spring.SqlSessionTemplate;
import org.mybatis.spring.boot.test.autoconfigure.AutoConfigureMybatis;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that objects get their IDs in the test slice of MyBatis.
 */
@SpringBootTest(classes = MybatisSliceTests.class,
		properties = { "leaf.segment.auto-create.enabled=true", "spring.datasource.url=jdbc:h2:mem:mybatis-slice",
				"spring.sql.init.schema-locations=classpath:io/leaf/data/notes.sql" })
@AutoConfigureMybatis
class MybatisSliceTests {

	@Test
	void insertsWithId(@Autowired SqlSessionFactory factory) {
		factory.getConfiguration().addMapper(NoteMapper.class);
		MutableNote note = new MutableNote();
		new SqlSessionTemplate(factory).getMapper(NoteMapper.class).insert(note);
		assertThat(note.id).isOne();
	}

	interface NoteMapper {

		@Insert("INSERT INTO note (id) VALUES (#{id})")
		void insert(MutableNote note);

	}

	static class MutableNote {

		@LeafId("note")
		private Long id;

	}

}
