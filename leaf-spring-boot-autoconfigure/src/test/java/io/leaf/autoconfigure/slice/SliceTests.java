// SPDX-License-Identifier: Apache-2.0

package io.leaf.autoconfigure.slice;

import io.leaf.IdGenerator;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityManager;
import jakarta.persistence.Id;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.data.jdbc.test.autoconfigure.DataJdbcTest;
import org.springframework.boot.data.jpa.test.autoconfigure.DataJpaTest;
import org.springframework.boot.data.r2dbc.test.autoconfigure.DataR2dbcTest;
import org.springframework.boot.jdbc.test.autoconfigure.JdbcTest;
import org.springframework.data.jdbc.core.JdbcAggregateOperations;
import org.springframework.data.r2dbc.core.R2dbcEntityTemplate;
import org.springframework.data.relational.core.query.Query;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests the test slices of Spring Boot: each has an {@link IdGenerator}, and entities get
 * their IDs from it.
 */
class SliceTests {

	private static final String AUTO_CREATE = "leaf.segment.auto-create.enabled=true";

	private static final String NOTES = "spring.sql.init.schema-locations=classpath:io/leaf/data/notes.sql";

	@Nested
	@JdbcTest(properties = AUTO_CREATE)
	class Jdbc {

		@Test
		void issuesIds(@Autowired IdGenerator generator, @Autowired JdbcTemplate jdbcTemplate) {
			assertThat(generator.nextId("customer")).isEqualTo(1);
			assertThat(
					jdbcTemplate.queryForObject("SELECT max_id FROM leaf_alloc WHERE biz_tag = 'customer'", Long.class))
				.isGreaterThan(1);
		}

	}

	@Nested
	@DataJpaTest(properties = AUTO_CREATE)
	class DataJpa {

		@Test
		void issuesIds(@Autowired IdGenerator generator, @Autowired EntityManager entityManager) {
			Customer customer = new Customer();
			customer.id = generator.nextId("customer");
			entityManager.persist(customer);
			entityManager.flush();
			assertThat(customer.id).isEqualTo(1);
			assertThat(generator.nextId("customer")).isEqualTo(2);
		}

	}

	@Nested
	@DataJdbcTest(properties = { AUTO_CREATE, NOTES })
	class DataJdbc {

		@Test
		void savesWithId(@Autowired JdbcAggregateOperations operations) {
			assertThat(operations.save(new Note(null, "a"))).isEqualTo(new Note(1L, "a"));
			assertThat(operations.findById(1L, Note.class)).isEqualTo(new Note(1L, "a"));
		}

	}

	/**
	 * With R2DBC, Spring Boot configures no {@code DataSource}, so Leaf is configured
	 * with its own.
	 */
	@Nested
	@DataR2dbcTest(properties = { AUTO_CREATE, NOTES, "leaf.segment.datasource.url=jdbc:h2:mem:r2dbc-slice",
			"spring.r2dbc.url=r2dbc:h2:mem:///r2dbc-slice-notes?options=DB_CLOSE_DELAY=-1" })
	class DataR2dbc {

		@Test
		void savesWithId(@Autowired R2dbcEntityTemplate template) {
			assertThat(template.insert(new Note(null, "a")).block()).isEqualTo(new Note(1L, "a"));
			assertThat(template.select(Query.empty(), Note.class).collectList().block())
				.containsExactly(new Note(1L, "a"));
		}

	}

	@Entity(name = "Customer")
	static class Customer {

		@Id
		private long id;

	}

}
