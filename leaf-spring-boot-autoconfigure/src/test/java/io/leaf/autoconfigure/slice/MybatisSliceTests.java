/*
 * Copyright 2026 the Leaf project authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *      https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */

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
 * Tests that objects get their IDs in a slice of MyBatis.
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
