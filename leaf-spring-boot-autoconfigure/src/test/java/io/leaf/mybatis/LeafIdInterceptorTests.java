// SPDX-License-Identifier: Apache-2.0

package io.leaf.mybatis;

import java.sql.PreparedStatement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.BiConsumer;

import io.leaf.IdGenerationException;
import io.leaf.LeafId;
import io.leaf.RecordingIdGenerator;
import io.leaf.autoconfigure.SpringBoot;
import io.leaf.autoconfigure.persistence.LeafMybatisAutoConfiguration;
import org.apache.ibatis.annotations.Insert;
import org.apache.ibatis.annotations.Param;
import org.apache.ibatis.annotations.Select;
import org.apache.ibatis.annotations.Update;
import org.apache.ibatis.exceptions.PersistenceException;
import org.apache.ibatis.executor.parameter.ParameterHandler;
import org.apache.ibatis.plugin.Interceptor;
import org.apache.ibatis.plugin.Intercepts;
import org.apache.ibatis.plugin.Invocation;
import org.apache.ibatis.plugin.Signature;
import org.apache.ibatis.session.ExecutorType;
import org.apache.ibatis.session.SqlSession;
import org.apache.ibatis.session.SqlSessionFactory;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.mybatis.spring.boot.autoconfigure.MybatisAutoConfiguration;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link LeafIdInterceptor} with MyBatis and a database.
 */
class LeafIdInterceptorTests {

	@Test
	void objectGetsId() {
		run((mapper, generator) -> {
			Note note = new Note("a");
			mapper.insert(note);
			assertThat(note.id).isEqualTo(1001);
			assertThat(mapper.texts()).containsExactly("1001 a");
		});
	}

	@Test
	void namedParameterGetsId() {
		run((mapper, generator) -> {
			Note note = new Note("a");
			mapper.insertNamed(note, "suffix");
			assertThat(note.id).isEqualTo(1001);
			assertThat(mapper.texts()).containsExactly("1001 asuffix");
			assertThat(generator.issued()).as("MyBatis gives each parameter two names").isEqualTo(Map.of("notes", 1L));
		});
	}

	@Test
	void elementsOfListsAndArraysGetIds() {
		run((mapper, generator) -> {
			mapper.insertAll(List.of(new Note("a"), new Note("b")));
			mapper.insertArray(new Note("c"), new Note("d"));
			mapper.insertNamedList(List.of(new Note("e")));
			assertThat(mapper.texts()).containsExactly("1001 a", "1002 b", "1003 c", "1004 d", "1005 e");
		});
	}

	@Test
	void elementsOfMapGetIds() {
		run((mapper, generator) -> {
			Map<String, Object> parameters = new HashMap<>();
			parameters.put("note", new Note("a"));
			parameters.put("suffix", null);
			mapper.insertMap(parameters);
			assertThat(mapper.texts()).containsExactly("1001 a");
		});
	}

	@Test
	void batchesGetIds() {
		runner().withBean(RecordingIdGenerator.class).run((context) -> {
			SqlSessionFactory factory = context.getBean(SqlSessionFactory.class);
			factory.getConfiguration().addMapper(NoteMapper.class);
			try (SqlSession session = factory.openSession(ExecutorType.BATCH)) {
				NoteMapper mapper = session.getMapper(NoteMapper.class);
				for (int i = 0; i < 3; i++) {
					mapper.insert(new Note("n"));
				}
				session.commit();
				assertThat(mapper.texts()).containsExactly("1001 n", "1002 n", "1003 n");
			}
		});
	}

	@Test
	void primitiveZeroIsTreatedAsUnset() {
		run((mapper, generator) -> {
			PrimitiveNote note = new PrimitiveNote();
			mapper.insertPrimitive(note);
			assertThat(note.id).isEqualTo(1001);
		});
	}

	@Test
	void textIdHoldsTheNumberAndTheGetterMayBeAnnotated() {
		run((mapper, generator) -> {
			TextNote note = new TextNote();
			mapper.insertText(note);
			assertThat(note.id).isEqualTo("1001");
		});
	}

	@Test
	void severalPropertiesOfOneObjectGetValues() {
		run((mapper, generator) -> {
			Numbered first = new Numbered();
			Numbered second = new Numbered();
			second.number = 0L;
			second.primitive = 5;
			second.text = "mine";
			mapper.insertNumbered(List.of(first, second));
			assertThat(first.number).isEqualTo(1001);
			assertThat(first.primitive).isEqualTo(1001);
			assertThat(first.text).isEqualTo("1001");
			assertThat(mapper.numbered()).containsExactly("1001 1001 1001 1001", "1002 0 5 mine");
			assertThat(generator.issued()).isEqualTo(Map.of("numbered", 2L, "number", 1L, "primitive", 1L, "text", 1L));
		});
	}

	@Test
	void idIsFoundInSuperclass() {
		run((mapper, generator) -> {
			Note note = new Note("a") {
			};
			mapper.insert(note);
			assertThat(note.id).isEqualTo(1001);
		});
	}

	@Test
	void idSetByTheApplicationIsKept() {
		run((mapper, generator) -> {
			Note note = new Note("a");
			note.id = 0L;
			mapper.insert(note);
			mapper.insertRecord(new NoteRecord(42L));
			assertThat(mapper.texts()).containsExactly("0 a", "42 null");
			assertThat(generator.issued()).isEmpty();
		});
	}

	@Test
	void onlyInsertsGetIds() {
		run((mapper, generator) -> {
			mapper.update(new Note("a"));
			assertThat(generator.issued()).isEmpty();
		});
	}

	@Test
	void recordsAreRefused() {
		run((mapper, generator) -> assertThatExceptionOfType(PersistenceException.class)
			.isThrownBy(() -> mapper.insertRecord(new NoteRecord(null)))
			.havingRootCause()
			.isInstanceOf(IdGenerationException.class)
			.withMessage(
					"Cannot set %s.id: it has no setter (a record has none), and MyBatis inserts the object as it "
							+ "is given. Add a setter, or request the ID first and create the object with it",
					NoteRecord.class.getName()));
	}

	@Test
	void missingKeyIsRefused() {
		run((mapper, generator) -> assertThatExceptionOfType(PersistenceException.class)
			.isThrownBy(() -> mapper.insertWithoutKey(new NoteWithoutKey()))
			.havingRootCause()
			.isInstanceOf(IdGenerationException.class)
			.withMessage("Cannot issue an ID for %s.id: MyBatis does not know its table. "
					+ "Name the key, as in @LeafId(\"order\")", NoteWithoutKey.class.getName()));
	}

	@Test
	void otherTypesAreRefused() {
		run((mapper, generator) -> assertThatExceptionOfType(PersistenceException.class)
			.isThrownBy(() -> mapper.insertBad(new BadNote()))
			.havingRootCause()
			.isInstanceOf(IdGenerationException.class)
			.withMessageContaining("is of type java.lang.Integer, but a Leaf ID needs"));
	}

	@Test
	void entitiesInPropertyOfParameterAreRefused() {
		run((mapper, generator) -> {
			assertRefused(() -> mapper.insertLines(new Purchase(List.of(new Note("a")))), "insertLines",
					"#{__frch_line_0.id}");
			assertRefused(() -> mapper.insertLast(new Purchase(List.of(new Note("a")))), "insertLast",
					"#{lines[0].id}");
			assertThat(generator.issued()).isEmpty();
			Note note = new Note("a");
			note.id = 7L;
			mapper.insertLines(new Purchase(List.of(note)));
			assertThat(mapper.texts()).containsExactly("7 a");
		});
	}

	@Test
	void simpleParameterMayHaveAnyPath() {
		run((mapper, generator) -> {
			mapper.insertSimple(7L);
			assertThat(mapper.texts()).containsExactly("7 null");
		});
	}

	@Test
	void missingReferenceIsRefused() {
		run((mapper, generator) -> {
			PrimitiveNote parent = new PrimitiveNote();
			assertRefused(() -> mapper.insertReference(new Reference(parent)), "insertReference", "#{parent.id}");
			parent.id = 7;
			mapper.insertReference(new Reference(parent));
			assertThat(mapper.texts()).containsExactly("7 null");
		});
	}

	@Test
	void insertThatMybatisDoesNotTreatAsAnInsertIsRefused() {
		run((mapper, generator) -> {
			assertRefused(() -> mapper.insertByUpdate(new Note("a")), "insertByUpdate", "#{id}");
			assertRefused(() -> mapper.mergeByUpdate(new PrimitiveNote()), "mergeByUpdate", "#{id}");
			assertRefused(() -> mapper.insertBySelect(new PrimitiveNote()), "insertBySelect", "#{id}");
			assertThat(mapper.texts()).isEmpty();
		});
	}

	@Test
	void otherInterceptorsDoNotHideTheParameters() {
		runner().withBean(RecordingIdGenerator.class)
			.withBean("before", Interceptor.class, OtherInterceptor::new)
			.withBean("after", Interceptor.class, OtherInterceptor::new)
			.run((context) -> {
				SqlSessionFactory factory = context.getBean(SqlSessionFactory.class);
				factory.getConfiguration().addMapper(NoteMapper.class);
				try (SqlSession session = factory.openSession()) {
					NoteMapper mapper = session.getMapper(NoteMapper.class);
					assertRefused(() -> mapper.insertByUpdate(new Note("a")), "insertByUpdate", "#{id}");
				}
			});
	}

	private static void assertRefused(ThrowingCallable call, String method, String path) {
		assertThatExceptionOfType(PersistenceException.class).isThrownBy(call)
			.havingRootCause()
			.isInstanceOf(IdGenerationException.class)
			.withMessageContaining(
					"Statement %s.%s would insert %s, but ".formatted(NoteMapper.class.getName(), method, path));
	}

	private static void run(BiConsumer<NoteMapper, RecordingIdGenerator> test) {
		runner().withBean(RecordingIdGenerator.class).run((context) -> {
			SqlSessionFactory factory = context.getBean(SqlSessionFactory.class);
			factory.getConfiguration().addMapper(NoteMapper.class);
			try (SqlSession session = factory.openSession()) {
				test.accept(session.getMapper(NoteMapper.class), context.getBean(RecordingIdGenerator.class));
			}
		});
	}

	private static ApplicationContextRunner runner() {
		return new ApplicationContextRunner().withConfiguration(SpringBoot.dataSource())
			.withConfiguration(
					AutoConfigurations.of(MybatisAutoConfiguration.class, LeafMybatisAutoConfiguration.class))
			.withPropertyValues("spring.datasource.url=jdbc:h2:mem:" + UUID.randomUUID(),
					"spring.sql.init.schema-locations=classpath:io/leaf/data/notes.sql");
	}

	interface NoteMapper {

		@Insert("<script>INSERT INTO numbered (id, number, primitive, text) VALUES "
				+ "<foreach collection='list' item='n' separator=','>(#{n.id}, #{n.number}, #{n.primitive}, #{n.text})"
				+ "</foreach></script>")
		void insertNumbered(List<Numbered> list);

		@Select("SELECT CONCAT(id, ' ', number, ' ', primitive, ' ', text) FROM numbered ORDER BY id")
		List<String> numbered();

		@Insert("INSERT INTO note (id, text) VALUES (#{id}, #{text})")
		void insert(Note note);

		@Insert("INSERT INTO note (id, text) VALUES (#{note.id}, CONCAT(#{note.text}, #{suffix}))")
		void insertNamed(@Param("note") Note note, @Param("suffix") String suffix);

		@Insert("INSERT INTO note (id, text) VALUES (#{note.id}, CONCAT(#{note.text}, #{suffix,jdbcType=VARCHAR}))")
		void insertMap(Map<String, Object> parameters);

		@Insert("<script>INSERT INTO note (id, text) VALUES "
				+ "<foreach collection='list' item='n' separator=','>(#{n.id}, #{n.text})</foreach></script>")
		void insertAll(List<Note> notes);

		@Insert("<script>INSERT INTO note (id, text) VALUES "
				+ "<foreach collection='array' item='n' separator=','>(#{n.id}, #{n.text})</foreach></script>")
		void insertArray(Note... notes);

		@Insert("<script>INSERT INTO note (id, text) VALUES "
				+ "<foreach collection='notes' item='n' separator=','>(#{n.id}, #{n.text})</foreach></script>")
		void insertNamedList(@Param("notes") List<Note> notes);

		@Insert("INSERT INTO primitive_note (id) VALUES (#{id})")
		void insertPrimitive(PrimitiveNote note);

		@Insert("INSERT INTO text_note (id) VALUES (#{id})")
		void insertText(TextNote note);

		@Insert("INSERT INTO note (id) VALUES (#{id})")
		void insertRecord(NoteRecord note);

		@Insert("INSERT INTO note (id) VALUES (#{id})")
		void insertWithoutKey(NoteWithoutKey note);

		@Insert("INSERT INTO bad_note (id) VALUES (#{id})")
		void insertBad(BadNote note);

		@Insert("<script>INSERT INTO note (id, text) VALUES "
				+ "<foreach collection='p.lines' item='line' separator=','>(#{line.id}, #{line.text})</foreach></script>")
		void insertLines(@Param("p") Purchase purchase);

		@Insert("INSERT INTO note (id, text) VALUES (#{lines[0].id}, #{lines[0].text})")
		void insertLast(Purchase purchase);

		@Insert("INSERT INTO note (id) VALUES (#{note.id})")
		void insertSimple(Long id);

		@Insert("INSERT INTO note (id) VALUES (#{parent.id})")
		void insertReference(Reference reference);

		@Update("INSERT INTO note (id, text) VALUES (#{id}, #{text})")
		void insertByUpdate(Note note);

		@Update("/* an upsert */ MERGE INTO note (id) KEY (id) VALUES (#{id})")
		void mergeByUpdate(PrimitiveNote note);

		@Select("SELECT id FROM FINAL TABLE (INSERT INTO note (id) VALUES (#{id}))")
		Long insertBySelect(PrimitiveNote note);

		@Update("UPDATE note SET text = #{text} WHERE id = #{id,jdbcType=BIGINT}")
		void update(Note note);

		@Select("SELECT CONCAT(id, ' ', COALESCE(text, 'null')) FROM note ORDER BY id")
		ArrayList<String> texts();

	}

	static class Note {

		@LeafId("notes")
		private Long id;

		private final String text;

		Note(String text) {
			this.text = text;
		}

	}

	static class Numbered {

		@LeafId("numbered")
		private Long id;

		@LeafId("number")
		private Long number;

		@LeafId("primitive")
		private long primitive;

		@LeafId("text")
		private String text;

	}

	static class PrimitiveNote {

		@LeafId("notes")
		private long id;

	}

	static class TextNote {

		private String id;

		@LeafId("notes")
		public String getId() {
			return this.id;
		}

	}

	static class NoteWithoutKey {

		@LeafId
		private Long id;

	}

	static class BadNote {

		@LeafId("notes")
		private Integer id;

	}

	record NoteRecord(@LeafId("notes") Long id) {
	}

	record Purchase(List<Note> lines) {
	}

	record Reference(PrimitiveNote parent) {
	}

	@Intercepts(@Signature(type = ParameterHandler.class, method = "setParameters", args = PreparedStatement.class))
	static class OtherInterceptor implements Interceptor {

		@Override
		public Object intercept(Invocation invocation) throws Throwable {
			return invocation.proceed();
		}

	}

}
