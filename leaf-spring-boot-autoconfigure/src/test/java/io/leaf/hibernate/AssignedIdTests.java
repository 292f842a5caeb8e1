// SPDX-License-Identifier: Apache-2.0

package io.leaf.hibernate;

import java.util.List;
import java.util.function.Consumer;

import io.leaf.LeafId;
import jakarta.persistence.CascadeType;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityExistsException;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.Id;
import jakarta.persistence.JoinColumn;
import jakarta.persistence.ManyToOne;
import jakarta.persistence.OneToMany;
import jakarta.persistence.OptimisticLockException;
import jakarta.persistence.Version;
import org.hibernate.SessionFactory;
import org.hibernate.TransientObjectException;
import org.junit.jupiter.api.Test;

import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.data.jpa.repository.support.SimpleJpaRepository;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests that IDs set by the application are kept, and how many statements that takes.
 */
class AssignedIdTests {

	private static final Class<?>[] ENTITIES = { Book.class, PrimitiveBook.class, TextBook.class, VersionedBook.class,
			Review.class, Chapter.class };

	@Test
	void persistKeepsId() {
		run((application) -> {
			Book book = new Book(42L);
			application.persist(book);
			assertThat(book.id).isEqualTo(42L);
			assertThat(application.find(Book.class, 42L)).isNotNull();
			assertThat(application.issued()).isEmpty();
		});
	}

	@Test
	void persistKeepsPrimitiveId() {
		run((application) -> {
			PrimitiveBook book = new PrimitiveBook();
			book.id = 42;
			application.persist(book);
			assertThat(book.id).isEqualTo(42);
			assertThat(application.find(PrimitiveBook.class, 42L)).isNotNull();
			assertThat(application.issued()).isEmpty();
		});
	}

	@Test
	void persistKeepsStringId() {
		run((application) -> {
			TextBook book = new TextBook();
			book.id = "B-42";
			application.persist(book);
			assertThat(book.id).isEqualTo("B-42");
			assertThat(application.find(TextBook.class, "B-42")).isNotNull();
			assertThat(application.issued()).isEmpty();
		});
	}

	@Test
	void persistTreatsZeroAsUnsetOnlyIfItIsPrimitive() {
		run((application) -> {
			assertThat(application.persist(new Book(0L)).id).isZero();
			assertThat(application.issued()).isEmpty();
			assertThat(application.persist(new PrimitiveBook()).id).isEqualTo(1001);
		});
	}

	@Test
	void persistOfSetIdNeedsNoQuery() {
		run((application) -> {
			application.persist(new Book(42L));
			assertThat(application.statements().verbs()).containsExactly("insert");
		});
	}

	@Test
	void persistOfExistingIdFails() {
		run((application) -> {
			application.persist(new Book(42L));
			assertThatExceptionOfType(DataIntegrityViolationException.class)
				.isThrownBy(() -> application.persist(new Book(42L)));
		});
	}

	@Test
	void persistOfIdThatSessionHoldsFails() {
		run((application) -> assertThatExceptionOfType(EntityExistsException.class)
			.isThrownBy(() -> application.inTransaction((entityManager) -> {
				entityManager.persist(new Book(42L));
				entityManager.persist(new Book(42L));
				return null;
			})));
	}

	@Test
	void saveWithoutIdPersists() {
		run((application) -> {
			Book book = new Book(null);
			assertThat(save(application, Book.class, book)).isSameAs(book);
			assertThat(book.id).isEqualTo(1001L);
			PrimitiveBook primitive = new PrimitiveBook();
			assertThat(save(application, PrimitiveBook.class, primitive)).isSameAs(primitive);
			assertThat(primitive.id).isEqualTo(1001L);
			assertThat(application.statements().verbs()).containsExactly("insert", "insert");
		});
	}

	@Test
	void saveWithSetIdQueriesAndKeepsIt() {
		run((application) -> {
			Book book = new Book(42L);
			Book saved = save(application, Book.class, book);
			assertThat(saved).isNotSameAs(book);
			assertThat(saved.id).isEqualTo(42L);
			assertThat(application.statements().verbs()).containsExactly("select", "insert");
			assertThat(application.issued()).isEmpty();
		});
	}

	@Test
	void saveWithSetIdAndWithoutVersionKeepsItWithoutQuery() {
		run((application) -> {
			VersionedBook book = new VersionedBook();
			book.id = 42L;
			assertThat(save(application, VersionedBook.class, book)).isSameAs(book);
			assertThat(book.id).isEqualTo(42L);
			assertThat(application.statements().verbs()).containsExactly("insert");
			assertThat(application.issued()).isEmpty();
		});
	}

	@Test
	void saveOfExistingUpdates() {
		run((application) -> {
			Book book = application.persist(new Book(null));
			application.statements().clear();
			book.title = "New";
			save(application, Book.class, book);
			assertThat(application.statements().verbs()).containsExactly("select", "update");
			assertThat(application.find(Book.class, book.id).title).isEqualTo("New");
		});
	}

	@Test
	void saveOfDeletedInsertsAgainUnlessVersioned() {
		run((application) -> {
			Book book = application.persist(new Book(null));
			delete(application, Book.class, book.id);
			save(application, Book.class, book);
			assertThat(application.find(Book.class, book.id)).isNotNull();

			VersionedBook versioned = application.persist(new VersionedBook());
			delete(application, VersionedBook.class, versioned.id);
			assertThatExceptionOfType(OptimisticLockException.class)
				.isThrownBy(() -> save(application, VersionedBook.class, versioned));
			assertThat(application.find(VersionedBook.class, versioned.id)).isNull();
		});
	}

	@Test
	void mergeWithoutIdGenerates() {
		run((application) -> {
			Book merged = application.inTransaction((entityManager) -> entityManager.merge(new Book(null)));
			assertThat(merged.id).isEqualTo(1001L);
			assertThat(application.statements().verbs()).containsExactly("insert");
			PrimitiveBook primitive = application
				.inTransaction((entityManager) -> entityManager.merge(new PrimitiveBook()));
			assertThat(primitive.id).isEqualTo(1001L);
		});
	}

	@Test
	void cascadeKeepsSetIdsAndGeneratesOthers() {
		run((application) -> {
			Book book = new Book(null);
			Chapter assigned = new Chapter();
			assigned.id = 7L;
			Chapter generated = new Chapter();
			book.chapters = List.of(assigned, generated);
			application.persist(book);
			assertThat(assigned.id).isEqualTo(7L);
			assertThat(generated.id).isEqualTo(1001L);
			assertThat(application.statements().verbs()).doesNotContain("select");
		});
	}

	@Test
	void referenceToDetachedEntityCostsOneQueryUnlessVersioned() {
		run((application) -> {
			Book book = application.persist(new Book(null));
			VersionedBook versioned = application.persist(new VersionedBook());
			application.statements().clear();
			Review review = new Review();
			review.book = book;
			application.persist(review);
			assertThat(application.statements().verbs()).containsExactly("select", "insert");

			application.statements().clear();
			review = new Review();
			review.versionedBook = versioned;
			application.persist(review);
			assertThat(application.statements().verbs()).containsExactly("insert");

			application.statements().clear();
			application.inTransaction((entityManager) -> {
				Review another = new Review();
				another.book = entityManager.getReference(Book.class, book.id);
				entityManager.persist(another);
				return another;
			});
			assertThat(application.statements().verbs()).containsExactly("insert");
		});
	}

	@Test
	void statelessSessionKeepsSetIdsAndGeneratesOthers() {
		run((application) -> {
			SessionFactory sessions = application.bean(EntityManagerFactory.class).unwrap(SessionFactory.class);
			VersionedBook assigned = new VersionedBook();
			assigned.id = 42L;
			VersionedBook generated = new VersionedBook();
			sessions.inStatelessTransaction((session) -> {
				session.insert(assigned);
				session.insert(generated);
			});
			assertThat(assigned.id).isEqualTo(42L);
			assertThat(generated.id).isEqualTo(1001L);
			assertThat(application.statements().verbs()).containsExactly("insert", "insert");
		});
	}

	@Test
	void upsertWithoutIdIsRefused() {
		run((application) -> {
			SessionFactory sessions = application.bean(EntityManagerFactory.class).unwrap(SessionFactory.class);
			assertThatExceptionOfType(TransientObjectException.class)
				.isThrownBy(() -> sessions.inStatelessTransaction((session) -> session.upsert(new PrimitiveBook())))
				.withMessage(
						"Cannot upsert an entity whose id %s.id is not set: Hibernate does not generate IDs in upsert(). "
								+ "Insert the entity to give it the next ID of key 'primitive-book', or set the ID first",
						PrimitiveBook.class.getName());
			assertThatExceptionOfType(TransientObjectException.class)
				.isThrownBy(() -> sessions.inStatelessTransaction((session) -> session.upsert(new Book(null))));
			assertThat(application.find(PrimitiveBook.class, 0L)).isNull();
		});
	}

	@Test
	void upsertWithIdInsertsAndUpdates() {
		run((application) -> {
			SessionFactory sessions = application.bean(EntityManagerFactory.class).unwrap(SessionFactory.class);
			PrimitiveBook primitive = new PrimitiveBook();
			primitive.id = 42;
			primitive.title = "third";
			Book zero = new Book(0L);
			zero.chapters = List.of();
			for (String title : List.of("first", "second")) {
				zero.title = title;
				sessions.inStatelessTransaction((session) -> {
					session.upsert(primitive);
					session.upsert(zero);
				});
			}
			assertThat(application.find(PrimitiveBook.class, 42L)).isNotNull();
			assertThat(application.find(Book.class, 0L).title).isEqualTo("second");
			assertThat(application.issued()).isEmpty();
		});
	}

	private static void run(Consumer<JpaApplication> test) {
		JpaApplication.run(ENTITIES, (application) -> {
			application.statements().clear();
			test.accept(application);
		});
	}

	/**
	 * Saves an entity like a Spring Data repository.
	 */
	private static <T> T save(JpaApplication application, Class<T> type, T entity) {
		return application
			.inTransaction((entityManager) -> new SimpleJpaRepository<>(type, entityManager).save(entity));
	}

	private static void delete(JpaApplication application, Class<?> type, Object id) {
		application.inTransaction((entityManager) -> {
			entityManager.remove(entityManager.find(type, id));
			return null;
		});
	}

	@Entity
	static class Book {

		@Id
		@LeafId("book")
		Long id;

		String title;

		@OneToMany(cascade = CascadeType.ALL)
		@JoinColumn
		List<Chapter> chapters;

		Book() {
		}

		Book(Long id) {
			this.id = id;
		}

	}

	@Entity
	static class Chapter {

		@Id
		@LeafId("chapter")
		Long id;

	}

	@Entity
	static class PrimitiveBook {

		@Id
		@LeafId("primitive-book")
		long id;

		String title;

	}

	@Entity
	static class TextBook {

		@Id
		@LeafId("text-book")
		String id;

	}

	@Entity
	static class VersionedBook {

		@Id
		@LeafId("versioned-book")
		Long id;

		@Version
		Integer version;

	}

	@Entity
	static class Review {

		@Id
		@LeafId("review")
		Long id;

		@ManyToOne
		Book book;

		@ManyToOne
		VersionedBook versionedBook;

	}

}
