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

package io.leaf.test.autoconfigure.application;

import io.leaf.LeafId;
import io.leaf.test.TestIdGenerator;
import org.apache.ibatis.annotations.Insert;
import org.apache.ibatis.annotations.Mapper;
import org.junit.jupiter.api.Test;
import org.mybatis.spring.boot.test.autoconfigure.MybatisTest;

import org.springframework.beans.factory.annotation.Autowired;

import static org.assertj.core.api.Assertions.assertThat;

@MybatisTest(properties = "spring.sql.init.schema-locations=classpath:io/leaf/data/notes.sql")
class MybatisSliceTests {

	@Test
	void insertsWithId(@Autowired NoteMapper notes, @Autowired TestIdGenerator ids) {
		MutableNote note = new MutableNote();
		notes.insert(note);
		assertThat(note.id).isOne();
		assertThat(ids.issued("note")).containsExactly(1);
	}

	@Mapper
	interface NoteMapper {

		@Insert("INSERT INTO note (id) VALUES (#{id})")
		void insert(MutableNote note);

	}

	static class MutableNote {

		@LeafId("note")
		private Long id;

	}

}
