// SPDX-License-Identifier: Apache-2.0

package io.leaf.it;

import java.util.List;
import java.util.function.Consumer;

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
import org.apache.ibatis.annotations.Insert;
import org.apache.ibatis.session.SqlSessionFactory;
import org.junit.jupiter.api.Test;
import org.mybatis.spring.SqlSessionTemplate;
import org.mybatis.spring.boot.autoconfigure.MybatisAutoConfiguration;

import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.boot.autoconfigure.AutoConfigurationPackages;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.jdbc.autoconfigure.DataJdbcRepositoriesAutoConfiguration;
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
 * {@link LeafId} with the libraries that write to a real MySQL. The table could number
 * its rows by itself, but our IDs are what it gets.
 */
class PersistenceLibrariesIT {

	@Test
	void springDataJdbc() {
		run((context) -> {
			JdbcAggregateOperations operations = context.getBean(JdbcAggregateOperations.class);
			List<Row> saved = operations.saveAll(List.of(new Row(null, "a"), new Row(null, "b")));
			assertThat(saved).containsExactly(new Row(500L, "a"), new Row(501L, "b"));
			assertThat(operations.save(new Row(500L, "c"))).isEqualTo(new Row(500L, "c"));
			assertThat(ids(context)).containsExactly(500L, 501L);
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
			.withPropertyValues("leaf.segment.initialize-schema=always", "mybatis-plus.global-config.banner=false")
			.run((context) -> {
				JdbcTemplate jdbc = context.getBean(JdbcTemplate.class);
				jdbc.execute("CREATE TABLE `row` (id BIGINT AUTO_INCREMENT PRIMARY KEY, text VARCHAR(20))");
				jdbc.update("INSERT INTO leaf_alloc (biz_tag, max_id, step) VALUES ('row', 500, 10)");
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

	record Row(@Id @LeafId Long id, String text) {
	}

	interface RowMapper {

		@Insert("INSERT INTO `row` (id) VALUES (#{id})")
		void insert(Note note);

		@Insert("<script>INSERT INTO `row` (id) VALUES "
				+ "<foreach collection='list' item='note' separator=','>(#{note.id})</foreach></script>")
		void insertAll(List<Note> notes);

	}

	interface NoteMapper extends BaseMapper<Note> {

	}

	@TableName("`row`")
	static class Note {

		@LeafId("row")
		private Long id;

		private String text;

	}

}
