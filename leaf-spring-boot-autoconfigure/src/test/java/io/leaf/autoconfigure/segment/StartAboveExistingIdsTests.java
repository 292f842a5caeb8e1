// SPDX-License-Identifier: Apache-2.0

package io.leaf.autoconfigure.segment;

import java.util.UUID;

import com.baomidou.mybatisplus.annotation.TableId;
import com.baomidou.mybatisplus.annotation.TableName;
import com.baomidou.mybatisplus.autoconfigure.MybatisPlusAutoConfiguration;
import com.baomidou.mybatisplus.core.mapper.BaseMapper;
import io.leaf.IdGenerationException;
import io.leaf.LeafId;
import io.leaf.autoconfigure.LeafIdGeneratorAutoConfiguration;
import io.leaf.autoconfigure.SpringBoot;
import io.leaf.autoconfigure.persistence.LeafDataJdbcAutoConfiguration;
import io.leaf.autoconfigure.persistence.LeafDataR2dbcAutoConfiguration;
import io.leaf.autoconfigure.persistence.LeafMybatisPlusAutoConfiguration;
import org.apache.ibatis.session.SqlSession;
import org.apache.ibatis.session.SqlSessionFactory;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.boot.autoconfigure.AutoConfigurationPackages;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcTemplateAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.data.annotation.Id;
import org.springframework.data.jdbc.core.JdbcAggregateOperations;
import org.springframework.data.r2dbc.core.R2dbcEntityTemplate;
import org.springframework.data.relational.core.mapping.Embedded;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests keys whose row is added when the table of their entity already has rows, with
 * persistence libraries other than Hibernate. The application's pool has one connection,
 * which the saving transaction holds.
 */
class StartAboveExistingIdsTests {

	private static final String TABLE = "CREATE TABLE note (number BIGINT PRIMARY KEY, text VARCHAR(20))";

	private static final String BILLS = "CREATE TABLE bill (id BIGINT PRIMARY KEY, doc_number BIGINT, text VARCHAR(20))";

	private static final String BILL_ROWS = "INSERT INTO bill VALUES (1, 700, '9'), (2, NULL, '10'), (3, 699, NULL)";

	private static final String ROWS = "INSERT INTO note (number) VALUES (5000), (7)";

	private static ApplicationContextRunner runner(AutoConfigurations library) {
		return new ApplicationContextRunner().withConfiguration(library)
			.withConfiguration(AutoConfigurations.of(DataSourceAutoConfiguration.class,
					DataSourceTransactionManagerAutoConfiguration.class, JdbcTemplateAutoConfiguration.class,
					LeafSegmentAutoConfiguration.class, LeafIdGeneratorAutoConfiguration.class,
					LeafDataJdbcAutoConfiguration.class, LeafDataR2dbcAutoConfiguration.class,
					LeafMybatisPlusAutoConfiguration.class))
			.withInitializer(
					(context) -> AutoConfigurationPackages.register((BeanDefinitionRegistry) context, "io.leaf.none"))
			.withPropertyValues("spring.datasource.url=jdbc:h2:mem:" + UUID.randomUUID(),
					"spring.datasource.hikari.maximum-pool-size=1", "spring.datasource.hikari.connection-timeout=2000",
					"leaf.segment.auto-create.enabled=true");
	}

	private static void inTransaction(ApplicationContext context, Runnable work) {
		new TransactionTemplate(context.getBean(PlatformTransactionManager.class))
			.executeWithoutResult((status) -> work.run());
	}

	private static void createTable(ApplicationContext context) {
		context.getBean(JdbcTemplate.class).execute(BILLS);
		context.getBean(JdbcTemplate.class).execute(BILL_ROWS);
		context.getBean(JdbcTemplate.class).execute(TABLE);
		context.getBean(JdbcTemplate.class).execute(ROWS);
	}

	@Test
	void springDataJdbcContinuesAboveExistingIds() {
		runner(SpringBoot.springDataJdbc()).run((context) -> {
			createTable(context);
			JdbcAggregateOperations operations = context.getBean(JdbcAggregateOperations.class);
			inTransaction(context, () -> {
				assertThat(operations.insert(new Note(null, "a")).number()).isEqualTo(5001);
				assertThat(operations.insert(new Note(null, "b")).number()).isEqualTo(5002);
				assertThat(operations.insert(new Bill(null, new Document(null), null)))
					.isEqualTo(new Bill(4L, new Document(701L), "11"));
			});
		});
	}

	@Test
	void springDataJdbcFailsWithoutTheTable() {
		runner(SpringBoot.springDataJdbc()).run((context) -> assertThatExceptionOfType(IdGenerationException.class)
			.isThrownBy(() -> context.getBean(JdbcAggregateOperations.class).insert(new Note(null, "a")))
			.withMessageContainingAll("key 'note'", "SELECT MAX(\"NUMBER\") FROM \"NOTE\"",
					"leaf.segment.auto-create.above-existing-ids=false"));
	}

	@Test
	void mybatisPlusContinuesAboveExistingIds() {
		runner(AutoConfigurations.of(MybatisPlusAutoConfiguration.class)).run((context) -> {
			createTable(context);
			SqlSessionFactory factory = context.getBean(SqlSessionFactory.class);
			factory.getConfiguration().addMapper(PlusNoteMapper.class);
			factory.getConfiguration().addMapper(PlusBillMapper.class);
			inTransaction(context, () -> {
				try (SqlSession session = factory.openSession()) {
					PlusNote note = new PlusNote();
					session.getMapper(PlusNoteMapper.class).insert(note);
					assertThat(note.number).isEqualTo(5001);
					PlusBill bill = new PlusBill();
					session.getMapper(PlusBillMapper.class).insert(bill);
					assertThat(bill.id).isEqualTo(4);
					assertThat(bill.docNumber).isEqualTo(701);
					assertThat(bill.text).isEqualTo("11");
				}
			});
		});
	}

	@Test
	void springDataR2dbcContinuesAboveExistingIds() {
		String name = UUID.randomUUID().toString();
		runner(SpringBoot.springDataR2dbc())
			.withPropertyValues("spring.r2dbc.url=r2dbc:h2:mem:///%s?options=DB_CLOSE_DELAY=-1".formatted(name),
					"leaf.segment.datasource.url=jdbc:h2:mem:leaf" + name)
			.run((context) -> {
				R2dbcEntityTemplate template = context.getBean(R2dbcEntityTemplate.class);
				template.getDatabaseClient().sql(TABLE).then().block();
				template.getDatabaseClient().sql(ROWS).then().block();
				assertThat(template.insert(new Note(null, "a")).block().number()).isEqualTo(5001);
				assertThat(template.insert(new Note(null, "b")).block().number()).isEqualTo(5002);
				template.getDatabaseClient().sql(BILLS).then().block();
				template.getDatabaseClient().sql(BILL_ROWS).then().block();
				assertThat(template.insert(new Bill(null, new Document(null), null)).block())
					.isEqualTo(new Bill(4L, new Document(701L), "11"));
			});
	}

	record Note(@Id @LeafId("note") Long number, String text) {
	}

	record Bill(@Id @LeafId("bill") Long id, @Embedded.Nullable(prefix = "DOC_") Document document,
			@LeafId("bill-text") String text) {
	}

	record Document(@LeafId("document") Long number) {
	}

	@TableName("bill")
	static class PlusBill {

		@LeafId
		Long id;

		@LeafId("document")
		Long docNumber;

		@LeafId("bill-text")
		String text;

	}

	interface PlusBillMapper extends BaseMapper<PlusBill> {

	}

	@TableName("note")
	static class PlusNote {

		@TableId
		@LeafId
		Long number;

		String text;

	}

	interface PlusNoteMapper extends BaseMapper<PlusNote> {

	}

}
