// SPDX-License-Identifier: Apache-2.0

package io.leaf.test.autoconfigure.application;

import io.leaf.IdGenerator;
import io.leaf.segment.SegmentIdGenerator;
import io.leaf.snowflake.SnowflakeIdGenerator;
import io.leaf.test.TestIdGenerator;
import io.leaf.test.autoconfigure.AutoConfigureTestIdGenerator;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.ApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.test.context.transaction.BeforeTransaction;
import org.springframework.transaction.annotation.Transactional;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests the generator in a complete application in which both modes are enabled.
 */
@SpringBootTest(properties = {
		// with R2DBC, Spring Boot would not configure a DataSource
		"spring.autoconfigure.exclude=org.springframework.boot.r2dbc.autoconfigure.R2dbcAutoConfiguration",
		"leaf.snowflake.enabled=true", "leaf.keys.payment.mode=snowflake",
		"spring.datasource.url=jdbc:h2:mem:whole-application", "spring.jpa.hibernate.ddl-auto=create" })
@AutoConfigureTestIdGenerator
@Transactional
class AutoConfigureTestIdGeneratorTests {

	@Autowired
	private TestIdGenerator ids;

	@Test
	void neitherModeIsStarted(@Autowired ApplicationContext context, @Autowired JdbcTemplate jdbcTemplate) {
		assertThat(context.getBeanProvider(SegmentIdGenerator.class)).isEmpty();
		assertThat(context.getBeanProvider(SnowflakeIdGenerator.class)).isEmpty();
		assertThat(SliceTests.leafTablesExist(jdbcTemplate)).isFalse();
	}

	@Test
	void theTestGeneratorIsTheGeneratorOfTheApplication(@Autowired IdGenerator generator,
			@Autowired @Qualifier("leafIdGenerator") IdGenerator named) {
		assertThat(generator).isSameAs(this.ids).isSameAs(named);
		assertThat(generator.nextId("payment")).isOne();
	}

	@RepeatedTest(2)
	void eachTestStartsFromOne() {
		assertThat(this.ids.nextIds("order", 2)).containsExactly(1, 2);
	}

	@BeforeTransaction
	void drawIdBeforeTheTransaction() {
		this.ids.nextId("audit");
	}

	@RepeatedTest(2)
	void idsDrawnBeforeTheTransactionAreNotIssuedAgain() {
		assertThat(this.ids.nextId("audit")).isEqualTo(2);
	}

	@Nested
	class NestedTests {

		@RepeatedTest(2)
		void eachTestStartsFromOne() {
			assertThat(AutoConfigureTestIdGeneratorTests.this.ids.nextIds("order", 2)).containsExactly(1, 2);
		}

	}

	@Nested
	@AutoConfigureTestIdGenerator(reset = false)
	class WithoutReset {

		@RepeatedTest(2)
		void eachTestContinues(@Autowired TestIdGenerator ids, RepetitionInfo repetition) {
			assertThat(ids.nextId("refund")).isEqualTo(repetition.getCurrentRepetition());
		}

	}

}
