// SPDX-License-Identifier: Apache-2.0

package io.leaf.it;

import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

import com.baomidou.mybatisplus.annotation.TableName;
import com.baomidou.mybatisplus.autoconfigure.MybatisPlusAutoConfiguration;
import com.baomidou.mybatisplus.core.mapper.BaseMapper;
import io.leaf.LeafId;
import io.leaf.autoconfigure.LeafIdGeneratorAutoConfiguration;
import io.leaf.autoconfigure.persistence.LeafDataJdbcAutoConfiguration;
import io.leaf.autoconfigure.persistence.LeafMybatisAutoConfiguration;
import io.leaf.autoconfigure.persistence.LeafMybatisPlusAutoConfiguration;
import io.leaf.autoconfigure.segment.LeafSegmentAutoConfiguration;
import io.leaf.test.server.Databases;
import io.leaf.test.server.Pools;
import jakarta.persistence.Column;
import jakarta.persistence.Embeddable;
import jakarta.persistence.Embedded;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.MappedSuperclass;
import org.apache.ibatis.annotations.Insert;
import org.apache.ibatis.session.SqlSessionFactory;
import org.hibernate.SessionFactory;
import org.junit.jupiter.api.Test;
import org.mybatis.spring.SqlSessionTemplate;
import org.mybatis.spring.boot.autoconfigure.MybatisAutoConfiguration;

import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.boot.autoconfigure.AutoConfigurationPackages;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.jdbc.autoconfigure.DataJdbcRepositoriesAutoConfiguration;
import org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcTemplateAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.data.annotation.Id;
import org.springframework.data.jdbc.core.JdbcAggregateOperations;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests {@link LeafId} with persistence libraries that write to a real MySQL server. The
 * ID column has {@code AUTO_INCREMENT}, but the rows get their IDs, and also a number and
 * a code, from Leaf.
 */
class PersistenceLibrariesIT {

	@Test
	void hibernate() {
		run((context) -> {
			EntityManagerFactory factory = context.getBean(EntityManagerFactory.class);
			List<OrderEntity> orders = Stream.generate(OrderEntity::new).limit(3).toList();
			factory.runInTransaction((entityManager) -> {
				orders.forEach(entityManager::persist);
				assertThat(orders).extracting((order) -> order.number).containsExactly(1L, 2L, 3L);
			});
			OrderEntity stateless = new OrderEntity();
			factory.unwrap(SessionFactory.class).inStatelessTransaction((session) -> session.insert(stateless));
			assertThat(stateless.paper.code).isEqualTo("ORD-000004");
			factory.runInTransaction((entityManager) -> entityManager.find(OrderEntity.class, 500L).text = "changed");
			assertThat(ids(context)).containsExactly(500L, 501L, 502L, 503L);
			assertThat(rows(context)).containsExactly("500 1 ORD-000001 changed", "501 2 ORD-000002 null",
					"502 3 ORD-000003 null", "503 4 ORD-000004 null");
		}, HibernateJpaAutoConfiguration.class);
	}

	@Test
	void springDataJdbc() {
		run((context) -> {
			JdbcAggregateOperations operations = context.getBean(JdbcAggregateOperations.class);
			List<Row> saved = operations
				.saveAll(List.of(new Row(null, null, null, "a"), new Row(null, null, null, "b")));
			assertThat(saved).containsExactly(new Row(500L, 1L, "ORD-000001", "a"),
					new Row(501L, 2L, "ORD-000002", "b"));
			Row changed = new Row(500L, 1L, "ORD-000001", "c");
			assertThat(operations.save(changed)).isEqualTo(changed);
			assertThat(operations.insert(new Row(400L, null, null, "d")))
				.isEqualTo(new Row(400L, 3L, "ORD-000003", "d"));
			assertThat(ids(context)).containsExactly(400L, 500L, 501L);
			assertThat(rows(context)).containsExactly("400 3 ORD-000003 d", "500 1 ORD-000001 c", "501 2 ORD-000002 b");
		}, DataJdbcRepositoriesAutoConfiguration.class, LeafDataJdbcAutoConfiguration.class);
	}

	@Test
	void mybatis() {
		run((context) -> {
			RowMapper mapper = mapper(context, RowMapper.class);
			Note note = new Note();
			mapper.insert(note);
			mapper.insertAll(List.of(new Note(), new Note()));
			assertThat(note.id).isEqualTo(500);
			assertThat(ids(context)).containsExactly(500L, 501L, 502L);
			assertThat(rows(context)).containsExactly("500 1 ORD-000001 null", "501 2 ORD-000002 null",
					"502 3 ORD-000003 null");
		}, MybatisAutoConfiguration.class, LeafMybatisAutoConfiguration.class, LeafMybatisPlusAutoConfiguration.class);
	}

	@Test
	void mybatisPlus() {
		run((context) -> {
			NoteMapper mapper = mapper(context, NoteMapper.class);
			Note note = new Note();
			mapper.insert(note);
			note.text = "changed";
			mapper.insertOrUpdate(note);
			mapper.insert(List.of(new Note(), new Note()));
			assertThat(note.id).isEqualTo(500);
			assertThat(ids(context)).containsExactly(500L, 501L, 502L);
			assertThat(rows(context)).containsExactly("500 1 ORD-000001 changed", "501 2 ORD-000002 null",
					"502 3 ORD-000003 null");
		}, MybatisPlusAutoConfiguration.class, LeafMybatisAutoConfiguration.class,
				LeafMybatisPlusAutoConfiguration.class);
	}

	private static void run(Consumer<ApplicationContext> test, Class<?>... library) {
		new ApplicationContextRunner()
			.withInitializer((context) -> AutoConfigurationPackages.register((BeanDefinitionRegistry) context,
					PersistenceLibrariesIT.class.getPackageName()))
			.withConfiguration(AutoConfigurations.of(DataSourceAutoConfiguration.class,
					DataSourceTransactionManagerAutoConfiguration.class, JdbcTemplateAutoConfiguration.class,
					LeafSegmentAutoConfiguration.class, LeafIdGeneratorAutoConfiguration.class))
			.withConfiguration(AutoConfigurations.of(library))
			.withPropertyValues(Pools.properties(Databases.mysql(), "libraries"))
			.withPropertyValues("leaf.segment.initialize-schema=always", "leaf.keys.code.format=ORD-{crockford:6}",
					"spring.jpa.properties.hibernate.jdbc.batch_size=50", "mybatis-plus.global-config.banner=false",
					// Hibernate cannot find out the dialect if MariaDB takes the place of
					// MySQL, because MySQL's driver cannot read the metadata of MariaDB
					"spring.jpa.database=mysql")
			.run((context) -> {
				JdbcTemplate jdbc = context.getBean(JdbcTemplate.class);
				jdbc.execute("CREATE TABLE `row` (id BIGINT AUTO_INCREMENT PRIMARY KEY, "
						+ "number BIGINT NOT NULL UNIQUE, code VARCHAR(20) NOT NULL UNIQUE, text VARCHAR(20))");
				jdbc.update(
						"INSERT INTO leaf_alloc (biz_tag, max_id, step) VALUES ('row', 500, 10), ('number', 1, 10), "
								+ "('code', 1, 10)");
				test.accept(context);
			});
	}

	private static <T> T mapper(ApplicationContext context, Class<T> type) {
		SqlSessionFactory factory = context.getBean(SqlSessionFactory.class);
		factory.getConfiguration().addMapper(type);
		return new SqlSessionTemplate(factory).getMapper(type);
	}

	private static List<Long> ids(ApplicationContext context) {
		return context.getBean(JdbcTemplate.class).queryForList("SELECT id FROM `row` ORDER BY id", Long.class);
	}

	private static List<String> rows(ApplicationContext context) {
		return context.getBean(JdbcTemplate.class)
			.queryForList("SELECT CONCAT_WS(' ', id, number, code, COALESCE(text, 'null')) FROM `row` ORDER BY id",
					String.class);
	}

	record Row(@Id @LeafId Long id, @LeafId("number") Long number, @LeafId("code") String code, String text) {
	}

	@Entity
	@jakarta.persistence.Table(name = "`row`")
	static class OrderEntity extends Numbered {

		@jakarta.persistence.Id
		@LeafId
		private Long id;

		@Embedded
		private Paper paper = new Paper();

		private String text;

	}

	@MappedSuperclass
	abstract static class Numbered {

		@LeafId("number")
		@Column(nullable = false, updatable = false)
		Long number;

	}

	@Embeddable
	static class Paper {

		@LeafId("code")
		@Column(nullable = false)
		private String code;

	}

	interface RowMapper {

		@Insert("INSERT INTO `row` (id, number, code) VALUES (#{id}, #{number}, #{code})")
		void insert(Note note);

		@Insert("<script>INSERT INTO `row` (id, number, code) VALUES "
				+ "<foreach collection='list' item='note' separator=','>(#{note.id}, #{note.number}, #{note.code})</foreach></script>")
		void insertAll(List<Note> notes);

	}

	interface NoteMapper extends BaseMapper<Note> {

	}

	@TableName("`row`")
	static class Note {

		@LeafId("row")
		private Long id;

		@LeafId("number")
		private Long number;

		@LeafId("code")
		private String code;

		private String text;

	}

}
