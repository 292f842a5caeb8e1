// SPDX-License-Identifier: Apache-2.0

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
