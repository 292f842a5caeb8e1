// SPDX-License-Identifier: Apache-2.0

package io.leaf.mybatis;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

import com.baomidou.mybatisplus.annotation.IdType;
import com.baomidou.mybatisplus.annotation.TableId;
import com.baomidou.mybatisplus.annotation.TableName;
import com.baomidou.mybatisplus.autoconfigure.MybatisPlusAutoConfiguration;
import com.baomidou.mybatisplus.core.handlers.PostInitTableInfoHandler;
import com.baomidou.mybatisplus.core.incrementer.IdentifierGenerator;
import com.baomidou.mybatisplus.core.mapper.BaseMapper;
import com.baomidou.mybatisplus.core.metadata.TableInfo;
import io.leaf.IdGenerationException;
import io.leaf.LeafId;
import io.leaf.RecordingIdGenerator;
import io.leaf.autoconfigure.SpringBoot;
import io.leaf.autoconfigure.persistence.LeafMybatisAutoConfiguration;
import io.leaf.autoconfigure.persistence.LeafMybatisPlusAutoConfiguration;
import org.apache.ibatis.annotations.Insert;
import org.apache.ibatis.exceptions.PersistenceException;
import org.apache.ibatis.session.Configuration;
import org.apache.ibatis.session.SqlSession;
import org.apache.ibatis.session.SqlSessionFactory;
import org.junit.jupiter.api.Test;
import org.mybatis.spring.mapper.MapperFactoryBean;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link MybatisPlusIdGenerator} with MyBatis-Plus and a database, while
 * {@link LeafIdInterceptor} is also registered.
 */
class MybatisPlusIdGeneratorTests {

	@Test
	void entityGetsIdOfItsKey() {
		run((session, generator) -> {
			NoteMapper notes = session.getMapper(NoteMapper.class);
			Note note = new Note("a");
			notes.insert(note);
			assertThat(note.id).isEqualTo(1001);
			assertThat(notes.selectById(1001L).text).isEqualTo("a");
			assertThat(generator.issued()).isEqualTo(Map.of("notes", 1L));
		});
	}

	@Test
	void keyIsTheTableNameWithoutSchemaAndQuotes() {
		run((session, generator) -> {
			session.getMapper(TextNoteMapper.class).insert(new TextNote());
			assertThat(session.getMapper(TextNoteMapper.class).selectById("T-1001")).isNotNull();
			session.getMapper(RenamedMapper.class).insert(new Renamed());
			assertThat(generator.issued()).isEqualTo(Map.of("text_note", 1L, "RENAMED", 1L));
		});
	}

	@Test
	void severalPropertiesOfOneEntityGetValues() {
		run((session, generator) -> {
			NumberedMapper mapper = session.getMapper(NumberedMapper.class);
			Numbered numbered = new Numbered();
			mapper.insert(numbered);
			assertThat(numbered.id).isEqualTo(1001);
			assertThat(numbered.number).isEqualTo(1001);
			assertThat(numbered.primitive).isEqualTo(1001);
			assertThat(numbered.text).isEqualTo("T-1001");
			assertThat(mapper.selectById(1001)).usingRecursiveComparison().isEqualTo(numbered);
			numbered.number = null;
			numbered.text = "changed";
			mapper.updateById(numbered);
			assertThat(mapper.selectById(1001).number).isEqualTo(1001);
			assertThat(mapper.selectById(1001).text).isEqualTo("changed");
			assertThat(generator.issued()).isEqualTo(Map.of("numbered", 1L, "number", 1L, "primitive", 1L, "text", 1L));
			Numbered assigned = new Numbered();
			assigned.id = 42L;
			assigned.number = 0L;
			mapper.insert(assigned);
			assertThat(mapper.selectById(42)).usingRecursiveComparison().isEqualTo(assigned);
			assertThat(assigned.number).isZero();
			assertThat(assigned.text).isEqualTo("T-1002");
		});
	}

	@Test
	void textIdHasTheFormatOfItsKey() {
		run((session, generator) -> {
			TextNote note = new TextNote();
			session.getMapper(TextNoteMapper.class).insert(note);
			assertThat(note.id).isEqualTo("T-1001");
			assertThat(session.getMapper(TextNoteMapper.class).selectById("T-1001")).isNotNull();
		});
	}

	@Test
	void factoryWithoutTheInterceptorGetsIt() {
		new ApplicationContextRunner().withConfiguration(SpringBoot.dataSource())
			.withConfiguration(
					AutoConfigurations.of(MybatisPlusAutoConfiguration.class, LeafMybatisPlusAutoConfiguration.class))
			.withPropertyValues("spring.datasource.url=jdbc:h2:mem:" + UUID.randomUUID(),
					"spring.sql.init.schema-locations=classpath:io/leaf/data/notes.sql",
					"mybatis-plus.global-config.banner=false")
			.withBean(RecordingIdGenerator.class)
			.run((context) -> withSession(context.getBean(SqlSessionFactory.class), (session) -> {
				Numbered numbered = new Numbered();
				session.getMapper(NumberedMapper.class).insert(numbered);
				assertThat(numbered.number).isEqualTo(1001);
			}));
	}

	@Test
	void statementsOfTheApplicationAndCollectionsGetIds() {
		run((session, generator) -> {
			NoteMapper notes = session.getMapper(NoteMapper.class);
			notes.insertByHand(new Note("a"));
			notes.insertAllByHand(List.of(new Note("b"), new Note("c")));
			assertThat(notes.selectList(null)).extracting((note) -> note.id).containsExactly(1001L, 1002L, 1003L);
		});
	}

	@Test
	void insertOrUpdateInsertsOnceAndThenUpdates() {
		run((session, generator) -> {
			NoteMapper notes = session.getMapper(NoteMapper.class);
			Note note = new Note("a");
			notes.insertOrUpdate(note);
			note.text = "b";
			notes.insertOrUpdate(note);
			assertThat(notes.selectList(null)).singleElement()
				.satisfies((found) -> assertThat(found.text).isEqualTo("b"));
			assertThat(generator.issued()).isEqualTo(Map.of("notes", 1L));
		});
	}

	@Test
	void primitiveZeroIsTreatedAsUnset() {
		run((session, generator) -> {
			PrimitiveNote note = new PrimitiveNote();
			session.getMapper(PrimitiveNoteMapper.class).insert(note);
			assertThat(note.id).isEqualTo(1001);
		});
	}

	@Test
	void idSetByTheApplicationIsKept() {
		run((session, generator) -> {
			NoteMapper notes = session.getMapper(NoteMapper.class);
			for (long id : new long[] { 0, 42 }) {
				Note note = new Note("a");
				note.id = id;
				notes.insert(note);
			}
			assertThat(notes.selectList(null)).extracting((note) -> note.id).containsExactly(0L, 42L);
			assertThat(generator.issued()).isEmpty();
		});
	}

	@Test
	void otherEntitiesKeepTheGeneratorOfMybatisPlus() {
		run((session, generator) -> {
			PlainNote note = new PlainNote();
			session.getMapper(PlainNoteMapper.class).insert(note);
			assertThat(note.id).isGreaterThan(1L << 50);
			PlainNote zero = new PlainNote();
			zero.id = 0L;
			session.getMapper(PlainNoteMapper.class).insert(zero);
			assertThat(zero.id).isZero();
			assertThat(generator.issued()).isEmpty();
		});
	}

	@Test
	void otherEntitiesKeepTheGeneratorOfTheApplication() {
		runner().withBean(RecordingIdGenerator.class)
			.withBean(IdentifierGenerator.class, () -> (entity) -> 7)
			.run((context) -> withSession(context.getBean(SqlSessionFactory.class), (session) -> {
				PlainNote plain = new PlainNote();
				session.getMapper(PlainNoteMapper.class).insert(plain);
				assertThat(plain.id).isEqualTo(7);
				Note note = new Note("a");
				session.getMapper(NoteMapper.class).insert(note);
				assertThat(note.id).isEqualTo(1001);
			}));
	}

	@Test
	void otherIdTypesAreRefused() {
		assertRefused(InputNoteMapper.class, "@LeafId on " + InputNote.class.getName()
				+ ".id has no effect: its IdType "
				+ "is INPUT, and MyBatis-Plus requests IDs only for the type ASSIGN_ID. Set @TableId(type = "
				+ "IdType.ASSIGN_ID), or mybatis-plus.global-config.db-config.id-type=assign_id if the type is set "
				+ "globally; or remove @LeafId");
		assertRefused(AutoNoteMapper.class, AutoNote.class.getName() + ".id has no effect: its IdType is AUTO");
	}

	@Test
	void otherGlobalIdTypeIsRefused() {
		assertRefused(AutoByDefaultMapper.class,
				AutoByDefault.class.getName() + ".id has no effect: its IdType is AUTO",
				"mybatis-plus.global-config.db-config.id-type=auto");
	}

	@Test
	void otherPropertyThanTheIdRequiresAKey() {
		assertRefused(OtherPropertyMapper.class, "@LeafId on " + OtherProperty.class.getName()
				+ ".number names no key, and only the ID of an entity has a default key (the name of the table). "
				+ "Name the key, as in @LeafId(\"order-number\")");
	}

	@Test
	void mapperBeanOfRefusedEntityAbortsStartup() {
		runner().withBean(RecordingIdGenerator.class).withBean(AutoMapperConfiguration.class).run((context) -> {
			assertThat(context).hasFailed();
			assertThat(context).getFailure().rootCause().isInstanceOf(IdGenerationException.class);
		});
	}

	@Test
	void handlerOfTheApplicationIsCalled() {
		List<Class<?>> seen = new ArrayList<>();
		runner().withBean(RecordingIdGenerator.class)
			.withBean(PostInitTableInfoHandler.class, () -> new PostInitTableInfoHandler() {

				@Override
				public TableInfo creteTableInfo(Configuration configuration, Class<?> entityType) {
					seen.add(entityType);
					return new TableInfo(configuration, entityType);
				}

			})
			.run((context) -> {
				context.getBean(SqlSessionFactory.class).getConfiguration().addMapper(HandledMapper.class);
				assertThat(seen).containsExactly(Handled.class);
			});
	}

	@Test
	void entityInPropertyOfParameterIsRefused() {
		run((session, generator) -> {
			NoteMapper notes = session.getMapper(NoteMapper.class);
			assertThatExceptionOfType(PersistenceException.class)
				.isThrownBy(() -> notes.insertWrapped(new Wrapper(new Note("a"))))
				.havingRootCause()
				.isInstanceOf(IdGenerationException.class)
				.withMessageStartingWith("Statement %s.insertWrapped would insert #{note.id}, but %s.id is not set: ",
						NoteMapper.class.getName(), Note.class.getName());
			assertThat(notes.selectList(null)).isEmpty();
		});
	}

	private static void assertRefused(Class<?> mapper, String message, String... properties) {
		runner().withBean(RecordingIdGenerator.class).withPropertyValues(properties).run((context) -> {
			SqlSessionFactory factory = context.getBean(SqlSessionFactory.class);
			assertThatExceptionOfType(IdGenerationException.class)
				.isThrownBy(() -> factory.getConfiguration().addMapper(mapper))
				.withMessageContaining(message);
		});
	}

	private static void run(BiConsumer<SqlSession, RecordingIdGenerator> test) {
		runner().withBean(RecordingIdGenerator.class, TextIds::new)
			.run((context) -> withSession(context.getBean(SqlSessionFactory.class),
					(session) -> test.accept(session, context.getBean(RecordingIdGenerator.class))));
	}

	private static void withSession(SqlSessionFactory factory, Consumer<SqlSession> work) {
		List.of(NoteMapper.class, TextNoteMapper.class, RenamedMapper.class, PrimitiveNoteMapper.class,
				PlainNoteMapper.class, NumberedMapper.class)
			.forEach(factory.getConfiguration()::addMapper);
		try (SqlSession session = factory.openSession()) {
			work.accept(session);
		}
	}

	private static ApplicationContextRunner runner() {
		return new ApplicationContextRunner().withConfiguration(SpringBoot.dataSource())
			.withConfiguration(AutoConfigurations.of(MybatisPlusAutoConfiguration.class,
					LeafMybatisAutoConfiguration.class, LeafMybatisPlusAutoConfiguration.class))
			.withPropertyValues("spring.datasource.url=jdbc:h2:mem:" + UUID.randomUUID(),
					"spring.sql.init.schema-locations=classpath:io/leaf/data/notes.sql",
					"mybatis-plus.global-config.banner=false");
	}

	/**
	 * A generator that formats the IDs of all keys.
	 */
	static class TextIds extends RecordingIdGenerator {

		@Override
		public String nextText(String key) {
			return "T-" + nextId(key);
		}

	}

	interface NumberedMapper extends BaseMapper<Numbered> {

	}

	@TableName("numbered")
	static class Numbered {

		@LeafId
		private Long id;

		@LeafId("number")
		private Long number;

		@LeafId("primitive")
		private long primitive;

		@LeafId("text")
		private String text;

	}

	interface NoteMapper extends BaseMapper<Note> {

		@Insert("INSERT INTO note (id, text) VALUES (#{id}, #{text})")
		void insertByHand(Note note);

		@Insert("INSERT INTO note (id, text) VALUES (#{note.id}, #{note.text})")
		void insertWrapped(Wrapper wrapper);

		@Insert("<script>INSERT INTO note (id, text) VALUES "
				+ "<foreach collection='list' item='n' separator=','>(#{n.id}, #{n.text})</foreach></script>")
		void insertAllByHand(List<Note> notes);

	}

	interface TextNoteMapper extends BaseMapper<TextNote> {

	}

	interface RenamedMapper extends BaseMapper<Renamed> {

	}

	interface PrimitiveNoteMapper extends BaseMapper<PrimitiveNote> {

	}

	interface PlainNoteMapper extends BaseMapper<PlainNote> {

	}

	interface InputNoteMapper extends BaseMapper<InputNote> {

	}

	static class Note {

		@LeafId("notes")
		private Long id;

		private String text;

		Note() {
		}

		Note(String text) {
			this.text = text;
		}

	}

	static class TextNote {

		@TableId
		@LeafId
		private String id;

	}

	@TableName("PUBLIC.\"RENAMED\"")
	static class Renamed {

		@LeafId
		private Long id;

	}

	static class PrimitiveNote {

		@LeafId
		private long id;

	}

	@TableName("note")
	static class PlainNote {

		private Long id;

	}

	@TableName("note")
	static class InputNote {

		@TableId(type = IdType.INPUT)
		@LeafId
		private Long id;

	}

	interface AutoNoteMapper extends BaseMapper<AutoNote> {

	}

	interface AutoByDefaultMapper extends BaseMapper<AutoByDefault> {

	}

	interface OtherPropertyMapper extends BaseMapper<OtherProperty> {

	}

	interface HandledMapper extends BaseMapper<Handled> {

	}

	@TableName("plain_note")
	static class AutoNote {

		@TableId(type = IdType.AUTO)
		@LeafId
		private Long id;

	}

	@TableName("plain_note")
	static class AutoByDefault {

		@LeafId
		private Long id;

	}

	@TableName("note")
	static class OtherProperty {

		private Long id;

		@LeafId
		private Long number;

	}

	@TableName("note")
	static class Handled {

		@LeafId
		private Long id;

	}

	record Wrapper(Note note) {
	}

	static class AutoMapperConfiguration {

		@Bean
		MapperFactoryBean<AutoNoteMapper> autoNoteMapper(SqlSessionFactory factory) {
			MapperFactoryBean<AutoNoteMapper> mapper = new MapperFactoryBean<>(AutoNoteMapper.class);
			mapper.setSqlSessionFactory(factory);
			return mapper;
		}

	}

}
