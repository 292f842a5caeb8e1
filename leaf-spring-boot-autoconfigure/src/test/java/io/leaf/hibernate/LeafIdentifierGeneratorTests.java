// SPDX-License-Identifier: Apache-2.0

package io.leaf.hibernate;

import java.io.Serializable;
import java.util.Map;
import java.util.function.Function;

import io.leaf.LeafId;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.Id;
import jakarta.persistence.Inheritance;
import jakarta.persistence.InheritanceType;
import jakarta.persistence.MappedSuperclass;
import jakarta.persistence.Table;
import org.hibernate.annotations.GenericGenerator;
import org.hibernate.annotations.Parameter;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests the key and the type of an entity's IDs. The entities have explicit names,
 * because the table of a nested class would otherwise contain the name of the enclosing
 * class.
 */
class LeafIdentifierGeneratorTests {

	@Test
	void idIsLong() {
		JpaApplication.run(LongId.class, (application) -> {
			assertThat(application.persist(new LongId()).id).isEqualTo(1001L);
			assertThat(application.persist(new LongId()).id).isEqualTo(1002L);
			assertThat(application.find(LongId.class, 1002L)).isNotNull();
			assertThat(application.issued()).isEqualTo(Map.of("wrapper", 2L));
		});
	}

	@Test
	void idIsPrimitiveLong() {
		JpaApplication.run(PrimitiveId.class, (application) -> {
			assertThat(application.persist(new PrimitiveId()).id).isEqualTo(1001L);
			assertThat(application.persist(new PrimitiveId()).id).isEqualTo(1002L);
			assertThat(application.find(PrimitiveId.class, 1002L)).isNotNull();
			assertThat(application.issued()).isEqualTo(Map.of("primitive", 2L));
		});
	}

	@Test
	void idIsDecimalString() {
		JpaApplication.run(StringId.class, (application) -> {
			assertThat(application.persist(new StringId()).id).isEqualTo("1001");
			assertThat(application.find(StringId.class, "1001")).isNotNull();
			assertThat(application.issued()).isEqualTo(Map.of("text", 1L));
		});
	}

	@Test
	void sequenceIsLookedUpOnce() {
		JpaApplication.run(LongId.class, (application) -> {
			application.persist(new LongId());
			application.persist(new LongId());
			assertThat(application.idGenerator().sequences()).containsExactly("wrapper");
		});
	}

	@Test
	void keyIsTableName() {
		assertIssued(new NamedTable(), (entity) -> entity.id, 1001L, "t_invoice");
	}

	@Test
	void keyIsTableNameOfNamingStrategy() {
		assertIssued(new PurchaseOrder(), (entity) -> entity.id, 1001L, "purchase_order");
	}

	@Test
	void keyIsTableNameWithoutQuotes() {
		assertIssued(new QuotedTable(), (entity) -> entity.id, 1001L, "order");
	}

	@Test
	void keyIsTableNameWithoutQuotesIfAllNamesAreQuoted() {
		assertIssued(new NamedTable(), (entity) -> entity.id, 1001L, "t_invoice",
				"spring.jpa.properties.hibernate.globally_quoted_identifiers=true");
	}

	@Test
	void keyIsParameterOfGenericGenerator() {
		assertIssued(new GenericWithKey(), (entity) -> entity.id, 1001L, "migrated");
	}

	@Test
	void keyIsTableNameForGenericGeneratorWithoutParameter() {
		assertIssued(new GenericWithoutKey(), (entity) -> entity.id, "1001", "group");
	}

	@Test
	void annotationOnGetterIsUsed() {
		JpaApplication.run(PropertyAccess.class, (application) -> {
			assertThat(application.persist(new PropertyAccess()).getId()).isEqualTo(1001L);
			assertThat(application.persist(new PropertyAccess()).getId()).isEqualTo(1002L);
			assertThat(application.issued()).isEqualTo(Map.of("getter", 2L));
		});
	}

	@Test
	void generatedValueNextToLeafIdIsIgnored() {
		assertIssued(new WithGeneratedValue(), (entity) -> entity.id, 1001L, "both");
	}

	@Test
	void joinedInheritanceUsesTableOfRoot() {
		JpaApplication.run(new Class<?>[] { Payment.class, CardPayment.class, Transfer.class }, (application) -> {
			assertThat(application.persist(new CardPayment()).id).isEqualTo(1001L);
			assertThat(application.persist(new Transfer()).id).isEqualTo(1002L);
			assertThat(application.persist(new Payment()).id).isEqualTo(1003L);
			assertThat(application.issued()).isEqualTo(Map.of("payment", 3L));
		});
	}

	@Test
	void singleTableInheritanceUsesTableOfRoot() {
		JpaApplication.run(new Class<?>[] { Animal.class, Cat.class }, (application) -> {
			assertThat(application.persist(new Cat()).id).isEqualTo(1001L);
			assertThat(application.persist(new Animal()).id).isEqualTo(1002L);
			assertThat(application.issued()).isEqualTo(Map.of("animal", 2L));
		});
	}

	@Test
	void mappedSuperclassUsesTableOfEachEntity() {
		JpaApplication.run(new Class<?>[] { BaseEntity.class, Customer.class, Supplier.class }, (application) -> {
			assertThat(application.persist(new Customer()).id).isEqualTo(1001L);
			assertThat(application.persist(new Supplier()).id).isEqualTo(1001L);
			assertThat(application.persist(new Supplier()).id).isEqualTo(1002L);
			assertThat(application.issued()).isEqualTo(Map.of("customer", 1L, "supplier", 2L));
		});
	}

	@Test
	void mappedSuperclassWithTypeVariableUsesTypeOfEachEntity() {
		JpaApplication.run(new Class<?>[] { GenericEntity.class, Ticket.class, Label.class }, (application) -> {
			assertThat(application.persist(new Ticket()).id).isEqualTo(1001L);
			assertThat(application.persist(new Label()).id).isEqualTo("1001");
			assertThat(application.issued()).isEqualTo(Map.of("ticket", 1L, "label", 1L));
		});
	}

	private static <T> void assertIssued(T entity, Function<T, Object> id, Object expected, String key,
			String... properties) {
		JpaApplication.run(entity.getClass(), (application) -> {
			assertThat(id.apply(application.persist(entity))).isEqualTo(expected);
			assertThat(application.issued()).isEqualTo(Map.of(key, 1L));
		}, properties);
	}

	@Entity
	static class LongId {

		@Id
		@LeafId("wrapper")
		Long id;

	}

	@Entity
	static class PrimitiveId {

		@Id
		@LeafId("primitive")
		long id;

	}

	@Entity
	static class StringId {

		@Id
		@LeafId("text")
		String id;

	}

	@Entity
	@Table(name = "t_invoice")
	static class NamedTable {

		@Id
		@LeafId
		Long id;

	}

	@Entity(name = "PurchaseOrder")
	static class PurchaseOrder {

		@Id
		@LeafId
		Long id;

	}

	@Entity
	@Table(name = "`order`")
	static class QuotedTable {

		@Id
		@LeafId
		Long id;

	}

	@Entity
	@SuppressWarnings({ "deprecation", "removal" }) // works up to Hibernate 7
	static class GenericWithKey {

		@Id
		@GeneratedValue(generator = "leaf")
		@GenericGenerator(name = "leaf", type = LeafIdentifierGenerator.class,
				parameters = @Parameter(name = LeafIdentifierGenerator.KEY, value = "migrated"))
		Long id;

	}

	@Entity
	@Table(name = "`group`")
	@SuppressWarnings({ "deprecation", "removal" }) // works up to Hibernate 7
	static class GenericWithoutKey {

		@Id
		@GeneratedValue(generator = "leaf")
		@GenericGenerator(name = "leaf", type = LeafIdentifierGenerator.class)
		String id;

	}

	@Entity
	static class PropertyAccess {

		private long number;

		@Id
		@LeafId("getter")
		@Column(name = "id")
		long getId() {
			return this.number;
		}

		void setId(long id) {
			this.number = id;
		}

	}

	@Entity
	static class WithGeneratedValue {

		@Id
		@GeneratedValue
		@LeafId("both")
		Long id;

	}

	@Entity(name = "Payment")
	@Inheritance(strategy = InheritanceType.JOINED)
	static class Payment {

		@Id
		@LeafId
		Long id;

	}

	@Entity(name = "CardPayment")
	static class CardPayment extends Payment {

	}

	@Entity(name = "Transfer")
	static class Transfer extends Payment {

	}

	@Entity(name = "Animal")
	@Inheritance(strategy = InheritanceType.SINGLE_TABLE)
	static class Animal {

		@Id
		@LeafId
		Long id;

	}

	@Entity(name = "Cat")
	static class Cat extends Animal {

	}

	@MappedSuperclass
	abstract static class BaseEntity {

		@Id
		@LeafId
		Long id;

	}

	@Entity(name = "Customer")
	static class Customer extends BaseEntity {

	}

	@Entity(name = "Supplier")
	static class Supplier extends BaseEntity {

	}

	@MappedSuperclass
	abstract static class GenericEntity<T extends Serializable> {

		@Id
		@LeafId
		T id;

	}

	@Entity(name = "Ticket")
	static class Ticket extends GenericEntity<Long> {

	}

	@Entity(name = "Label")
	static class Label extends GenericEntity<String> {

	}

}
