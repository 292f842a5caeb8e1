// SPDX-License-Identifier: Apache-2.0

package io.leaf.test.autoconfigure.application;

import io.leaf.IdGenerator;
import io.leaf.LeafId;
import io.leaf.segment.SegmentIdGenerator;
import io.leaf.test.TestIdGenerator;
import io.leaf.test.autoconfigure.AutoConfigureTestIdGenerator;
import io.leaf.test.autoconfigure.TestIdGeneratorAutoConfiguration;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityManager;
import org.apache.ibatis.annotations.Insert;
import org.apache.ibatis.annotations.Mapper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.mybatis.spring.boot.test.autoconfigure.MybatisTest;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.data.jdbc.test.autoconfigure.DataJdbcTest;
import org.springframework.boot.data.jpa.test.autoconfigure.DataJpaTest;
import org.springframework.boot.data.r2dbc.test.autoconfigure.DataR2dbcTest;
import org.springframework.boot.jdbc.test.autoconfigure.JdbcTest;
import org.springframework.boot.test.autoconfigure.json.JsonTest;
import org.springframework.data.annotation.Id;
import org.springframework.data.jdbc.core.JdbcAggregateOperations;
import org.springframework.data.r2dbc.core.R2dbcEntityTemplate;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of the generator in the test slices of Spring Boot.
 */
class SliceTests {

	private static final String NOTES = "spring.sql.init.schema-locations=classpath:io/leaf/data/notes.sql";

	static boolean leafTablesExist(JdbcTemplate jdbcTemplate) {
		return jdbcTemplate.queryForObject(
				"SELECT COUNT(*) FROM information_schema.tables WHERE LOWER(table_name) LIKE 'leaf%'", Long.class) > 0;
	}

	@Nested
	@DataJpaTest
	class DataJpa {

		@Autowired
		private TestIdGenerator ids;

		@Autowired
		private EntityManager entityManager;

		@AfterEach
		void changeTheGenerator() {
			this.ids.nextId("customer");
			this.ids.willFail("customer");
		}

		@RepeatedTest(2)
		void eachTestStartsFromOne() {
			Customer customer = new Customer();
			this.entityManager.persist(customer);
			this.entityManager.flush();
			assertThat(customer.id).isOne();
			assertThat(this.ids.issued("customer")).containsExactly(1);
		}

		@Test
		void noOtherGeneratorAndNoTableExist(@Autowired IdGenerator generator, @Autowired JdbcTemplate jdbcTemplate) {
			assertThat(generator).isSameAs(this.ids);
			assertThat(leafTablesExist(jdbcTemplate)).isFalse();
		}

	}

	@Nested
	@DataJdbcTest(properties = NOTES)
	class DataJdbc {

		@RepeatedTest(2)
		void savesWithId(@Autowired JdbcAggregateOperations operations, @Autowired TestIdGenerator ids) {
			assertThat(operations.save(new Note(null, "a"))).isEqualTo(new Note(1L, "a"));
			assertThat(ids.issued("note")).containsExactly(1);
		}

	}

	/**
	 * In this slice Leaf's own generator would also require a JDBC database.
	 */
	@Nested
	@DataR2dbcTest(properties = { "spring.r2dbc.url=r2dbc:h2:mem:///test-ids?options=DB_CLOSE_DELAY=-1", NOTES })
	class DataR2dbc {

		@Test
		void savesWithId(@Autowired R2dbcEntityTemplate template, @Autowired TestIdGenerator ids) {
			assertThat(template.insert(new Note(null, "a")).block()).isEqualTo(new Note(1L, "a"));
			assertThat(ids.issued("note")).containsExactly(1);
		}

	}

	@Nested
	@JdbcTest
	class Jdbc {

		@Test
		void issuesIds(@Autowired IdGenerator generator, @Autowired JdbcTemplate jdbcTemplate) {
			assertThat(generator).isInstanceOf(TestIdGenerator.class);
			assertThat(generator.nextIds("customer", 2)).containsExactly(1, 2);
			assertThat(leafTablesExist(jdbcTemplate)).isFalse();
		}

	}

	@Nested
	@MybatisTest(properties = NOTES)
	class Mybatis {

		@Test
		void insertsWithId(@Autowired NoteMapper notes, @Autowired TestIdGenerator ids) {
			MutableNote note = new MutableNote();
			notes.insert(note);
			assertThat(note.id).isOne();
			assertThat(ids.issued("note")).containsExactly(1);
		}

	}

	/**
	 * A slice that does not include Leaf.
	 */
	@Nested
	@JsonTest
	@AutoConfigureTestIdGenerator
	class Json {

		@RepeatedTest(2)
		void issuesIds(@Autowired IdGenerator generator) {
			assertThat(generator.nextId("order")).isOne();
		}

	}

	/**
	 * Selects Leaf's own generator in one slice.
	 */
	@Nested
	@DataJpaTest(excludeAutoConfiguration = TestIdGeneratorAutoConfiguration.class,
			properties = { "leaf.segment.auto-create.enabled=true", "spring.datasource.url=jdbc:h2:mem:real-segments" })
	class RealSegments {

		@Test
		void idsComeFromTheTable(@Autowired EntityManager entityManager, @Autowired JdbcTemplate jdbcTemplate,
				@Autowired SegmentIdGenerator generator) {
			Customer customer = new Customer();
			entityManager.persist(customer);
			entityManager.flush();
			assertThat(customer.id).isOne();
			assertThat(generator.nextId("customer")).isEqualTo(2);
			assertThat(leafTablesExist(jdbcTemplate)).isTrue();
		}

	}

	/**
	 * Selects Leaf's own generator by a property, which a shared configuration can set
	 * for all slices.
	 */
	@Nested
	@JdbcTest(properties = { "spring.autoconfigure.exclude=io.leaf.test.autoconfigure.TestIdGeneratorAutoConfiguration",
			"leaf.segment.auto-create.enabled=true" })
	class RealSegmentsByProperty {

		@Test
		void idsComeFromTheTable(@Autowired IdGenerator generator) {
			assertThat(generator).isInstanceOf(SegmentIdGenerator.class);
			assertThat(generator.nextId("order")).isOne();
		}

	}

	@Entity(name = "Customer")
	static class Customer {

		@jakarta.persistence.Id
		@LeafId
		private Long id;

	}

	record Note(@Id @LeafId Long id, String text) {
	}

	static class MutableNote {

		@LeafId("note")
		private Long id;

	}

	@Mapper
	interface NoteMapper {

		@Insert("INSERT INTO note (id) VALUES (#{id})")
		void insert(MutableNote note);

	}

}
