// SPDX-License-Identifier: Apache-2.0

package io.leaf.data;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;

import io.leaf.IdGenerationException;
import io.leaf.LeafId;
import io.leaf.RecordingIdGenerator;
import io.leaf.autoconfigure.SpringBoot;
import io.leaf.autoconfigure.persistence.LeafDataJdbcAutoConfiguration;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.boot.autoconfigure.AutoConfigurationPackages;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.data.annotation.Id;
import org.springframework.data.annotation.Version;
import org.springframework.data.jdbc.core.JdbcAggregateOperations;
import org.springframework.data.jdbc.core.mapping.AggregateReference;
import org.springframework.data.relational.core.mapping.Table;
import org.springframework.data.relational.core.mapping.event.BeforeConvertCallback;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link LeafIdCallback} with Spring Data JDBC and a database.
 */
class LeafIdCallbackTests {

	@Test
	void saveOfImmutableEntityInsertsCopyWithId() {
		run((application) -> {
			Note note = new Note(null, "a");
			Note saved = application.operations().save(note);
			assertThat(saved).isEqualTo(new Note(1001L, "a"));
			assertThat(application.operations().findAll(Note.class)).containsExactly(saved);
			assertThat(application.issued()).isEqualTo(Map.of("notes", 1L));
		});
	}

	@Test
	void secondSaveUpdates() {
		run((application) -> {
			Note saved = application.operations().save(new Note(null, "a"));
			application.operations().save(new Note(saved.id(), "b"));
			assertThat(application.operations().findAll(Note.class)).containsExactly(new Note(1001L, "b"));
			assertThat(application.issued()).isEqualTo(Map.of("notes", 1L));
		});
	}

	@Test
	void saveAllInsertsEach() {
		run((application) -> {
			application.operations().saveAll(List.of(new Note(null, "a"), new Note(null, "b")));
			assertThat(application.operations().findAll(Note.class)).containsExactly(new Note(1001L, "a"),
					new Note(1002L, "b"));
		});
	}

	@Test
	void primitiveZeroIsTreatedAsUnset() {
		run((application) -> {
			PrimitiveNote note = new PrimitiveNote();
			assertThat(application.operations().save(note)).isSameAs(note);
			assertThat(note.id).isEqualTo(1001);
			assertThat(application.issued()).isEqualTo(Map.of("primitive_note", 1L));
			note.text = "changed";
			application.operations().save(note);
			assertThat(application.operations().findById(1001L, PrimitiveNote.class).text).isEqualTo("changed");
		});
	}

	@Test
	void textIdHoldsTheNumber() {
		run((application) -> {
			TextNote note = application.operations().save(new TextNote());
			assertThat(note.id).isEqualTo("1001");
			assertThat(application.operations().findById("1001", TextNote.class)).isNotNull();
		});
	}

	@Test
	void versionedEntityIsInserted() {
		run((application) -> {
			VersionedNote note = application.operations().save(new VersionedNote());
			assertThat(note.id).isEqualTo(1001);
			assertThat(application.operations().save(note).version).isEqualTo(1);
			assertThat(application.count("versioned_note")).isOne();
		});
	}

	@Test
	void idSetByTheApplicationIsKept() {
		run((application) -> {
			application.operations().insert(new Note(42L, "a"));
			VersionedNote note = new VersionedNote();
			note.id = 0L;
			application.operations().save(note);
			assertThat(application.operations().findById(42L, Note.class)).isNotNull();
			assertThat(application.operations().findById(0L, VersionedNote.class)).isNotNull();
			assertThat(application.issued()).isEmpty();
		});
	}

	@Test
	void insertGetsId() {
		run((application) -> {
			assertThat(application.operations().insert(new Note(null, "a")).id()).isEqualTo(1001);
			assertThat(application.operations().findAll(Note.class)).containsExactly(new Note(1001L, "a"));
		});
	}

	@Test
	void keyIsTheTableNameWithoutSchema() {
		run((application) -> {
			application.operations().insert(new Renamed(null));
			assertThat(application.issued()).isEqualTo(Map.of("RENAMED", 1L));
		});
	}

	@Test
	void entityWithoutAnnotationIsLeftToTheDatabase() {
		run((application) -> {
			assertThat(application.operations().save(new PlainNote(null, "a")).id()).isOne();
			assertThat(application.issued()).isEmpty();
		});
	}

	@Test
	void entitiesBelowTheRootGetIds() {
		run((application) -> {
			Purchase purchase = new Purchase();
			purchase.customer = AggregateReference.to(7L);
			purchase.lines.add(new PurchaseLine(null, "a"));
			purchase.lines.add(new PurchaseLine(42L, "b"));
			purchase.coupons = Map.of("spring", new Coupon());
			purchase.tags.add(new Tag(null));
			purchase.address = new Address(null, "Berlin");
			Purchase saved = application.operations().save(purchase);
			assertThat(saved).isSameAs(purchase);
			assertThat(saved.lines).containsExactly(new PurchaseLine(1001L, "a"), new PurchaseLine(42L, "b"));
			assertThat(saved.coupons.get("spring").id).isEqualTo(1001);
			assertThat(saved.tags).containsExactly(new Tag(1001L));
			assertThat(saved.address).isEqualTo(new Address(1001L, "Berlin"));
			Purchase found = application.operations().findById(saved.id, Purchase.class);
			assertThat(found.lines).isEqualTo(saved.lines);
			assertThat(found.address).isEqualTo(saved.address);
			found.lines.add(new PurchaseLine(null, "c"));
			application.operations().save(found);
			assertThat(application.operations().findById(saved.id, Purchase.class).lines).containsExactly(
					new PurchaseLine(1001L, "a"), new PurchaseLine(42L, "b"), new PurchaseLine(1002L, "c"));
		});
	}

	@Test
	void callbacksOfTheApplicationSeeTheId() {
		List<Object> seen = new ArrayList<>();
		runner().withBean(RecordingIdGenerator.class).withBean(NoteCallback.class, () -> (note) -> {
			seen.add(note.id());
			return note;
		}).run((context) -> context.getBean(JdbcAggregateOperations.class).save(new Note(null, "a")));
		assertThat(seen).containsExactly(1001L);
	}

	@Test
	void otherTypesAreRefused() {
		run((application) -> assertThatExceptionOfType(IdGenerationException.class)
			.isThrownBy(() -> application.operations().save(new BadNote(null)))
			.withMessage(
					"The id %s.id is of type java.lang.Integer, but a Leaf ID needs "
							+ "java.lang.Long, long or java.lang.String. Change its type, or remove @LeafId",
					BadNote.class.getName()));
	}

	@Test
	void withoutGeneratorTheFirstSaveFailsWithAdvice() {
		runner().run((context) -> {
			JdbcAggregateOperations operations = context.getBean(JdbcAggregateOperations.class);
			assertThat(operations.save(new PlainNote(null, "a")).id()).isOne();
			assertThatExceptionOfType(IdGenerationException.class)
				.isThrownBy(() -> operations.save(new Note(null, "a")))
				.withMessageContaining("no usable bean of type io.leaf.IdGenerator")
				.withMessageContaining("leaf.segment.enabled");
		});
	}

	private static void run(Consumer<Application> test) {
		runner().withBean(RecordingIdGenerator.class)
			.run((context) -> test.accept(new Application(context.getBean(JdbcAggregateOperations.class),
					context.getBean(RecordingIdGenerator.class), context.getBean(JdbcTemplate.class))));
	}

	static ApplicationContextRunner runner() {
		return new ApplicationContextRunner().withInitializer(LeafIdCallbackTests::registerPackage)
			.withConfiguration(SpringBoot.springDataJdbc())
			.withConfiguration(AutoConfigurations.of(LeafDataJdbcAutoConfiguration.class))
			.withPropertyValues("spring.datasource.url=jdbc:h2:mem:" + UUID.randomUUID(),
					"spring.sql.init.schema-locations=classpath:io/leaf/data/notes.sql");
	}

	private static void registerPackage(ConfigurableApplicationContext context) {
		AutoConfigurationPackages.register((BeanDefinitionRegistry) context,
				LeafIdCallbackTests.class.getPackageName());
	}

	private record Application(JdbcAggregateOperations operations, RecordingIdGenerator generator, JdbcTemplate jdbc) {

		Map<String, Long> issued() {
			return this.generator.issued();
		}

		int count(String table) {
			return this.jdbc.queryForObject("SELECT COUNT(*) FROM " + table, Integer.class);
		}

	}

	record Note(@Id @LeafId("notes") Long id, String text) {
	}

	record PlainNote(@Id Long id, String text) {
	}

	record BadNote(@Id @LeafId("notes") Integer id) {
	}

	@Table(name = "RENAMED", schema = "PUBLIC")
	record Renamed(@Id @LeafId Long id) {
	}

	static class PrimitiveNote {

		@Id
		@LeafId
		private long id;

		private String text;

	}

	static class TextNote {

		@Id
		@LeafId
		private String id;

		private String text;

	}

	static class VersionedNote {

		@Id
		@LeafId
		private Long id;

		@Version
		private Integer version;

		private String text;

	}

	static class Purchase {

		@Id
		@LeafId
		private Long id;

		private AggregateReference<Note, Long> customer;

		private List<PurchaseLine> lines = new ArrayList<>();

		private Map<String, Coupon> coupons = Map.of();

		private Set<Tag> tags = new LinkedHashSet<>();

		private Address address;

	}

	record PurchaseLine(@Id @LeafId Long id, String text) {
	}

	static class Coupon {

		@Id
		@LeafId
		private Long id;

	}

	record Tag(@Id @LeafId Long id) {
	}

	record Address(@Id @LeafId Long id, String city) {
	}

	private interface NoteCallback extends BeforeConvertCallback<Note> {

	}

}
