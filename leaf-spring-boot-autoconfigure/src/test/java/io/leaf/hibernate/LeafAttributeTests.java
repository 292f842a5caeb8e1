// SPDX-License-Identifier: Apache-2.0

package io.leaf.hibernate;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import io.leaf.IdGenerationException;
import io.leaf.LeafId;
import io.leaf.RecordingIdGenerator;
import jakarta.persistence.AttributeOverride;
import jakarta.persistence.CascadeType;
import jakarta.persistence.Column;
import jakarta.persistence.Embeddable;
import jakarta.persistence.Embedded;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.Id;
import jakarta.persistence.Inheritance;
import jakarta.persistence.InheritanceType;
import jakarta.persistence.JoinColumn;
import jakarta.persistence.MappedSuperclass;
import jakarta.persistence.OneToMany;
import org.hibernate.SessionFactory;
import org.hibernate.TransientObjectException;
import org.hibernate.annotations.CreationTimestamp;
import org.junit.jupiter.api.Test;

import org.springframework.data.jpa.repository.support.SimpleJpaRepository;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link LeafId} on attributes that are not the ID.
 */
class LeafAttributeTests {

	private static final Class<?>[] ENTITIES = { Numbered.class, Purchase.class, Line.class, Invoice.class,
			Papers.class, TimedPapers.class, Shipment.class, Animal.class, Cat.class };

	@Test
	void severalAttributesOfOneEntityGetValues() {
		run((application) -> {
			Purchase purchase = application.persist(new Purchase());
			assertThat(purchase.id).isEqualTo(1001);
			assertThat(purchase.number).isEqualTo(1001);
			assertThat(purchase.primitive).isEqualTo(1001);
			assertThat(purchase.text).isEqualTo("T-1001");
			assertThat(application.issued())
				.isEqualTo(Map.of("purchase", 1L, "number", 1L, "primitive", 1L, "text", 1L));
			Purchase found = application.find(Purchase.class, 1001L);
			assertThat(found).usingRecursiveComparison().ignoringFields("lines").isEqualTo(purchase);
			assertThat(application.statements().verbs()).containsOnlyOnce("insert").doesNotContain("update");
		});
	}

	@Test
	void valuesAreSetWhenPersistReturns() {
		run((application) -> application.inTransaction((entityManager) -> {
			Purchase purchase = new Purchase();
			purchase.lines = List.of(new Line());
			entityManager.persist(purchase);
			assertThat(purchase.number).isEqualTo(1001);
			assertThat(purchase.lines.get(0).number).isEqualTo(1001);
			Shipment shipment = new Shipment();
			shipment.papers = new Papers();
			entityManager.persist(shipment);
			assertThat(shipment.papers.number).isEqualTo(1001);
			assertThat(application.statements().verbs()).isEmpty();
			return purchase;
		}));
	}

	@Test
	void valuesSetByTheApplicationAreKept() {
		run((application) -> {
			Purchase purchase = new Purchase();
			purchase.number = 0L;
			purchase.primitive = 7;
			purchase.text = "mine";
			application.persist(purchase);
			assertThat(purchase.number).isZero();
			assertThat(purchase.primitive).isEqualTo(7);
			assertThat(purchase.text).isEqualTo("mine");
			assertThat(application.issued()).isEqualTo(Map.of("purchase", 1L));
		});
	}

	@Test
	void updatesIssueNothing() {
		run((application) -> {
			Purchase purchase = application.persist(new Purchase());
			application.inTransaction((entityManager) -> {
				Purchase found = entityManager.find(Purchase.class, purchase.id);
				found.item = "changed";
				found.text = null;
				entityManager.persist(found);
				return found;
			});
			Purchase changed = application.find(Purchase.class, purchase.id);
			assertThat(changed.item).isEqualTo("changed");
			assertThat(changed.text).isNull();
			assertThat(changed.number).isEqualTo(1001);
			changed.item = "merged";
			application.inTransaction((entityManager) -> entityManager.merge(changed));
			assertThat(application.find(Purchase.class, purchase.id).number).isEqualTo(1001);
			assertThat(application.issued()).containsEntry("number", 1L).containsEntry("text", 1L);
		});
	}

	@Test
	void mergeOfNewEntitySetsTheValue() {
		run((application) -> {
			Purchase merged = application.inTransaction((entityManager) -> entityManager.merge(new Purchase()));
			assertThat(merged.number).isEqualTo(1001);
			assertThat(application.find(Purchase.class, merged.id).number).isEqualTo(1001);
		});
	}

	@Test
	void saveWithAssignedIdSetsTheOthers() {
		run((application) -> {
			Purchase purchase = new Purchase();
			purchase.id = 42L;
			Purchase saved = application.inTransaction(
					(entityManager) -> new SimpleJpaRepository<>(Purchase.class, entityManager).save(purchase));
			assertThat(saved.number).isEqualTo(1001);
			assertThat(application.find(Purchase.class, 42L).text).isEqualTo("T-1001");
		});
	}

	@Test
	void valueOfARolledBackPersistIsNotIssuedAgain() {
		run((application) -> {
			Purchase purchase = new Purchase();
			assertThatExceptionOfType(IllegalStateException.class)
				.isThrownBy(() -> application.inTransaction((entityManager) -> {
					entityManager.persist(purchase);
					throw new IllegalStateException();
				}));
			assertThat(application.find(Purchase.class, purchase.id)).isNull();
			assertThat(application.persist(new Purchase()).number).isEqualTo(1002);
		});
	}

	@Test
	void statelessSessionSetsValuesAndRefusesUpsertWithoutThem() {
		run((application) -> {
			SessionFactory sessions = application.bean(EntityManagerFactory.class).unwrap(SessionFactory.class);
			Purchase purchase = new Purchase();
			purchase.lines = List.of();
			Shipment shipment = new Shipment();
			shipment.papers = new Papers();
			sessions.inStatelessTransaction((session) -> {
				session.insert(purchase);
				session.insert(shipment);
			});
			assertThat(purchase.number).isEqualTo(1001);
			assertThat(purchase.text).isEqualTo("T-1001");
			assertThat(shipment.papers.number).isEqualTo(1001);
			assertThat(application.find(Purchase.class, purchase.id).number).isEqualTo(1001);
			assertThat(application.find(Shipment.class, shipment.id).papers.number).isEqualTo(1001);
			assertThatExceptionOfType(TransientObjectException.class)
				.isThrownBy(() -> sessions.inStatelessTransaction((session) -> {
					purchase.primitive = 0;
					session.upsert(purchase);
				}))
				.withMessage("Cannot upsert an entity whose attribute %s.primitive is not set: Hibernate does not "
						+ "generate values in upsert(). Insert the entity to give it the next ID of key 'primitive', or set "
						+ "the attribute first", Purchase.class.getName());
			purchase.primitive = 5;
			sessions.inStatelessTransaction((session) -> session.upsert(purchase));
			assertThat(application.find(Purchase.class, purchase.id).primitive).isEqualTo(5);
		});
	}

	@Test
	void insertsAreBatched() {
		JpaApplication.run(ENTITIES, (application) -> {
			application.statements().clear();
			List<Invoice> invoices = Stream.generate(Invoice::new).limit(100).toList();
			application.inTransaction(
					(entityManager) -> new SimpleJpaRepository<>(Invoice.class, entityManager).saveAll(invoices));
			assertThat(application.statements().executions()).hasSize(2).allSatisfy((execution) -> {
				assertThat(execution.sql()).startsWith("insert into ");
				assertThat(execution.batchSize()).isEqualTo(50);
			});
			assertThat(invoices).extracting((invoice) -> invoice.number)
				.containsExactlyElementsOf(LongStream.rangeClosed(1001, 1100).boxed().toList());
		}, "spring.jpa.properties.hibernate.jdbc.batch_size=50");
	}

	@Test
	void annotationOnGetterOfMappedSuperclassIsUsed() {
		run((application) -> {
			assertThat(application.persist(new Invoice()).number).isEqualTo(1001);
			assertThat(application.issued()).isEqualTo(Map.of("invoice", 1L, "document", 1L));
		});
	}

	@Test
	void attributesOfEmbeddablesGetValues() {
		run((application) -> {
			Shipment shipment = new Shipment();
			shipment.papers = new Papers();
			shipment.papers.note = "kept";
			shipment.customs = new Papers();
			shipment.customs.number = 7L;
			application.persist(shipment);
			assertThat(shipment.papers.number).isEqualTo(1001);
			assertThat(shipment.insurance).isNull();
			assertThat(shipment.customs.number).isEqualTo(7);
			Shipment found = application.find(Shipment.class, shipment.id);
			assertThat(found.papers.note).isEqualTo("kept");
			assertThat(found.papers.number).isEqualTo(1001);
			assertThat(found.customs.number).isEqualTo(7);
			assertThat(application.issued()).isEqualTo(Map.of("shipment", 1L, "papers", 1L, "timed", 1L));
			assertThat(application.statements().verbs()).doesNotContain("update");
		});
	}

	@Test
	void embeddableWithAnotherGeneratorGetsAValue() {
		run((application) -> {
			Shipment shipment = new Shipment();
			shipment.timed = new TimedPapers();
			application.persist(shipment);
			assertThat(shipment.timed.number).isEqualTo(1001);
			assertThat(shipment.timed.createdAt).isNotNull();
			assertThat(application.find(Shipment.class, shipment.id).timed.number).isEqualTo(1001);
			assertThat(application.issued()).containsEntry("timed", 1L);
		});
	}

	@Test
	void otherAttributesOfEmbeddablesCanBeUpdated() {
		run((application) -> {
			Shipment shipment = new Shipment();
			shipment.papers = new Papers();
			application.persist(shipment);
			application.inTransaction((entityManager) -> {
				entityManager.find(Shipment.class, shipment.id).papers.note = "changed";
				return null;
			});
			Shipment found = application.find(Shipment.class, shipment.id);
			assertThat(found.papers.note).isEqualTo("changed");
			assertThat(found.papers.number).isEqualTo(1001);
			found.papers = null;
			application.inTransaction((entityManager) -> entityManager.merge(found));
			assertThat(application.find(Shipment.class, shipment.id).papers).isNull();
		});
	}

	@Test
	void hierarchySharesTheKey() {
		run((application) -> {
			assertThat(application.persist(new Cat()).tag).isEqualTo(1001);
			assertThat(application.persist(new Animal()).tag).isEqualTo(1002);
		});
	}

	@Test
	void attributeWithoutKeyIsRefused() {
		assertRefused("@LeafId on " + WithoutKey.class.getName() + ".number names no key, and only the ID of an entity "
				+ "has a default key (the name of the table). Name the key, as in " + "@LeafId(\"order-number\")",
				WithoutKey.class);
	}

	@Test
	void unsupportedTypeIsRefused() {
		assertRefused("The attribute " + OtherType.class.getName() + ".number is of type java.lang.Integer, but a "
				+ "Leaf ID needs java.lang.Long, long or java.lang.String", OtherType.class);
	}

	@Test
	void embeddedAttributeAsAWholeIsRefused() {
		assertRefused("The attribute " + WholeEmbedded.class.getName() + ".papers is of type " + Papers.class.getName(),
				WholeEmbedded.class, Papers.class);
	}

	@Test
	void componentOfEmbeddedRecordIsRefused() {
		assertRefused("@LeafId on " + Stamp.class.getName() + ".number cannot work: Hibernate does not set the "
				+ "components of an embedded record", Stamped.class, Stamp.class);
	}

	private static void run(Consumer<JpaApplication> test) {
		JpaApplication.runner(ENTITIES).withBean(RecordingIdGenerator.class, TextIds::new).run((context) -> {
			JpaApplication application = JpaApplication.of(context);
			application.statements().clear();
			test.accept(application);
		});
	}

	private static void assertRefused(String message, Class<?>... entities) {
		JpaApplication.runner(entities)
			.withBean(RecordingIdGenerator.class)
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.isInstanceOf(IdGenerationException.class)
				.hasMessageContaining(message));
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

	@MappedSuperclass
	abstract static class Numbered<N> {

		N number;

		@LeafId("document")
		@Column(nullable = false)
		N getNumber() {
			return this.number;
		}

		void setNumber(N number) {
			this.number = number;
		}

	}

	@Entity(name = "Invoice")
	static class Invoice extends Numbered<Long> {

		private Long key;

		@Id
		@LeafId
		@Column(name = "id")
		Long getKey() {
			return this.key;
		}

		void setKey(Long key) {
			this.key = key;
		}

	}

	@Entity(name = "Purchase")
	static class Purchase {

		@Id
		@LeafId
		Long id;

		@LeafId("number")
		@Column(nullable = false, unique = true)
		Long number;

		@LeafId("primitive")
		long primitive;

		@LeafId("text")
		String text;

		String item;

		@OneToMany(cascade = CascadeType.ALL)
		@JoinColumn
		List<Line> lines;

	}

	@Entity(name = "Line")
	static class Line {

		@Id
		@LeafId
		Long id;

		@LeafId("line-number")
		Long number;

	}

	@Entity(name = "Shipment")
	static class Shipment {

		@Id
		@LeafId
		Long id;

		@Embedded
		Papers papers;

		@Embedded
		@AttributeOverride(name = "number", column = @Column(name = "customs_number"))
		@AttributeOverride(name = "note", column = @Column(name = "customs_note"))
		Papers customs;

		@Embedded
		@AttributeOverride(name = "number", column = @Column(name = "insurance_number"))
		@AttributeOverride(name = "note", column = @Column(name = "insurance_note"))
		Papers insurance;

		@Embedded
		TimedPapers timed;

	}

	@Embeddable
	static class Papers {

		@LeafId("papers")
		Long number;

		String note;

	}

	@Embeddable
	static class TimedPapers {

		@LeafId("timed")
		@Column(name = "timed_number")
		Long number;

		@CreationTimestamp
		Instant createdAt;

	}

	@Entity(name = "Animal")
	@Inheritance(strategy = InheritanceType.JOINED)
	static class Animal {

		@Id
		@LeafId
		Long id;

		@LeafId("tag")
		Long tag;

	}

	@Entity(name = "Cat")
	static class Cat extends Animal {

	}

	@Entity
	static class WithoutKey {

		@Id
		Long id;

		@LeafId
		Long number;

	}

	@Entity
	static class OtherType {

		@Id
		Long id;

		@LeafId("number")
		Integer number;

	}

	@Entity
	static class WholeEmbedded {

		@Id
		Long id;

		@Embedded
		@LeafId("papers")
		Papers papers;

	}

	@Entity
	static class Stamped {

		@Id
		Long id;

		@Embedded
		Stamp stamp;

	}

	@Embeddable
	record Stamp(@LeafId("stamp") Long number, String text) {
	}

}
