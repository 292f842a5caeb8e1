// SPDX-License-Identifier: Apache-2.0

package io.leaf.data;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;

import io.leaf.IdGenerationException;
import io.leaf.IdGenerator;
import io.leaf.IdSequence;
import io.leaf.LeafId;
import io.leaf.RecordingIdGenerator;
import io.leaf.autoconfigure.SpringBoot;
import io.leaf.autoconfigure.persistence.LeafDataR2dbcAutoConfiguration;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.data.annotation.Id;
import org.springframework.data.annotation.Version;
import org.springframework.data.r2dbc.core.R2dbcEntityTemplate;
import org.springframework.data.r2dbc.repository.R2dbcRepository;
import org.springframework.data.r2dbc.repository.support.R2dbcRepositoryFactory;
import org.springframework.data.relational.core.query.Query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link ReactiveLeafIdCallback} with Spring Data R2DBC and a database.
 */
class ReactiveLeafIdCallbackTests {

	@Test
	void saveOfImmutableEntityInsertsCopyWithId() {
		run((template, generator) -> {
			Note saved = notes(template).save(new Note(null, "a")).block();
			assertThat(saved).isEqualTo(new Note(1001L, "a"));
			assertThat(all(template, Note.class)).containsExactly(saved);
			assertThat(generator.issued()).isEqualTo(Map.of("notes", 1L));
		});
	}

	@Test
	void secondSaveUpdates() {
		run((template, generator) -> {
			Note saved = notes(template).save(new Note(null, "a")).block();
			notes(template).save(new Note(saved.id(), "b")).block();
			assertThat(all(template, Note.class)).containsExactly(new Note(1001L, "b"));
			assertThat(generator.issued()).isEqualTo(Map.of("notes", 1L));
		});
	}

	@Test
	void saveAllInsertsEach() {
		run((template, generator) -> {
			notes(template).saveAll(List.of(new Note(null, "a"), new Note(null, "b"))).blockLast();
			assertThat(all(template, Note.class)).containsExactly(new Note(1001L, "a"), new Note(1002L, "b"));
		});
	}

	@Test
	void primitiveZeroIsTreatedAsUnsetAndTheKeyIsTheTableName() {
		run((template, generator) -> {
			PrimitiveNote note = new PrimitiveNote();
			template.insert(note).block();
			assertThat(note.id).isEqualTo(1001);
			assertThat(all(template, PrimitiveNote.class)).singleElement()
				.satisfies((found) -> assertThat(found.id).isEqualTo(1001));
			assertThat(generator.issued()).isEqualTo(Map.of("primitive_note", 1L));
		});
	}

	@Test
	void textIdHoldsTheNumber() {
		run((template, generator) -> {
			assertThat(template.insert(new TextNote()).block().id).isEqualTo("1001");
			assertThat(all(template, TextNote.class)).singleElement()
				.satisfies((found) -> assertThat(found.id).isEqualTo("1001"));
		});
	}

	@Test
	void versionedEntityIsInserted() {
		run((template, generator) -> {
			VersionedNote note = template.insert(new VersionedNote()).block();
			template.update(note).block();
			assertThat(all(template, VersionedNote.class)).singleElement()
				.satisfies((found) -> assertThat(found.version).isEqualTo(1));
		});
	}

	@Test
	void idSetByTheApplicationIsKept() {
		run((template, generator) -> {
			template.insert(new Note(42L, "a")).block();
			assertThat(all(template, Note.class)).containsExactly(new Note(42L, "a"));
			assertThat(generator.issued()).isEmpty();
		});
	}

	@Test
	void entityWithoutAnnotationIsLeftToTheDatabase() {
		run((template, generator) -> {
			assertThat(template.insert(new PlainNote(null, "a")).block().id()).isOne();
			assertThat(generator.issued()).isEmpty();
		});
	}

	@Test
	void eventLoopDoesNotWait() {
		HeldGenerator generator = new HeldGenerator();
		runner().withBean(HeldGenerator.class, () -> generator).run((context) -> {
			R2dbcEntityTemplate template = context.getBean(R2dbcEntityTemplate.class);
			Mono<Note> insert = template.insert(new Note(null, "a")).subscribeOn(Schedulers.parallel());
			assertThat(generator.requested).as("requested before the subscription").isEmpty();
			CompletableFuture<Note> inserted = insert.toFuture();
			Objects.requireNonNull(generator.requested.poll(10, TimeUnit.SECONDS)).complete(1001L);
			assertThat(inserted.get(10, TimeUnit.SECONDS).id()).isEqualTo(1001);
		});
	}

	@Test
	void aCancelledSaveCancelsTheRequestForAnId() {
		HeldGenerator generator = new HeldGenerator();
		runner().withBean(HeldGenerator.class, () -> generator).run((context) -> {
			R2dbcEntityTemplate template = context.getBean(R2dbcEntityTemplate.class);
			Disposable insert = template.insert(new Note(null, "a")).subscribe();
			CompletableFuture<Long> request = Objects.requireNonNull(generator.requested.poll(10, TimeUnit.SECONDS));
			insert.dispose();
			// the thread that made the request may not have subscribed to it yet
			assertThatExceptionOfType(CancellationException.class).isThrownBy(() -> request.get(10, TimeUnit.SECONDS));
		});
	}

	@Test
	void theFailureOfTheGeneratorIsTheFailureOfTheSave() {
		HeldGenerator generator = new HeldGenerator();
		runner().withBean(HeldGenerator.class, () -> generator).run((context) -> {
			R2dbcEntityTemplate template = context.getBean(R2dbcEntityTemplate.class);
			CompletableFuture<Note> inserted = template.insert(new Note(null, "a")).toFuture();
			IdGenerationException failure = new IdGenerationException("no ID");
			Objects.requireNonNull(generator.requested.poll(10, TimeUnit.SECONDS)).completeExceptionally(failure);
			assertThatExceptionOfType(ExecutionException.class).isThrownBy(() -> inserted.get(10, TimeUnit.SECONDS))
				.withCause(failure);
		});
	}

	@Test
	void aLazyGeneratorIsCreatedOnAThreadThatMayBlock() {
		AtomicBoolean mayBlock = new AtomicBoolean();
		runner().withBean(RecordingIdGenerator.class, () -> {
			mayBlock.set(!Schedulers.isInNonBlockingThread());
			return new RecordingIdGenerator();
		}, (definition) -> definition.setLazyInit(true)).run((context) -> {
			R2dbcEntityTemplate template = context.getBean(R2dbcEntityTemplate.class);
			assertThat(template.insert(new Note(null, "a")).subscribeOn(Schedulers.parallel()).block().id())
				.isEqualTo(1001);
			assertThat(mayBlock).isTrue();
		});
	}

	@Test
	void withoutGeneratorTheFirstSaveFailsWithAdvice() {
		runner().run((context) -> assertThatExceptionOfType(IdGenerationException.class)
			.isThrownBy(() -> context.getBean(R2dbcEntityTemplate.class).insert(new Note(null, "a")).block())
			.withMessageContaining("no usable bean of type io.leaf.IdGenerator"));
	}

	private static void run(BiConsumer<R2dbcEntityTemplate, RecordingIdGenerator> test) {
		runner().withBean(RecordingIdGenerator.class)
			.run((context) -> test.accept(context.getBean(R2dbcEntityTemplate.class),
					context.getBean(RecordingIdGenerator.class)));
	}

	static ApplicationContextRunner runner() {
		return new ApplicationContextRunner().withConfiguration(SpringBoot.springDataR2dbc())
			.withConfiguration(AutoConfigurations.of(LeafDataR2dbcAutoConfiguration.class))
			.withPropertyValues("spring.r2dbc.url=r2dbc:h2:mem:///" + UUID.randomUUID() + "?options=DB_CLOSE_DELAY=-1",
					"spring.sql.init.schema-locations=classpath:io/leaf/data/notes.sql");
	}

	private static Notes notes(R2dbcEntityTemplate template) {
		return new R2dbcRepositoryFactory(template).getRepository(Notes.class);
	}

	private static <T> List<T> all(R2dbcEntityTemplate template, Class<T> type) {
		return template.select(Query.empty(), type).collectList().block();
	}

	interface Notes extends R2dbcRepository<Note, Long> {

	}

	/**
	 * Issues no ID until the test completes the request for it.
	 */
	private static final class HeldGenerator implements IdGenerator {

		private final BlockingQueue<CompletableFuture<Long>> requested = new LinkedBlockingQueue<>();

		@Override
		public long nextId(String key) {
			throw new AssertionError("this call waits for an ID");
		}

		@Override
		public long[] nextIds(String key, int count) {
			throw new AssertionError("this call waits for an ID");
		}

		@Override
		public IdSequence sequence(String key) {
			return new IdSequence() {

				@Override
				public String key() {
					return key;
				}

				@Override
				public long nextId() {
					throw new AssertionError("this call waits for an ID");
				}

				@Override
				public CompletionStage<Long> nextIdAsync() {
					CompletableFuture<Long> request = new CompletableFuture<>();
					HeldGenerator.this.requested.add(request);
					return request;
				}

				@Override
				public long[] nextIds(int count) {
					throw new AssertionError("this call waits for an ID");
				}

			};
		}

	}

	record Note(@Id @LeafId("notes") Long id, String text) {
	}

	record PlainNote(@Id Long id, String text) {
	}

	static class PrimitiveNote {

		@Id
		@LeafId
		private long id;

	}

	static class TextNote {

		@Id
		@LeafId
		private String id;

	}

	static class VersionedNote {

		@Id
		@LeafId
		private Long id;

		@Version
		private Integer version;

	}

}
