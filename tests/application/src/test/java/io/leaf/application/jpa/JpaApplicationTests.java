// SPDX-License-Identifier: Apache-2.0

package io.leaf.application.jpa;

import java.io.Serializable;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

import io.leaf.LeafId;
import jakarta.persistence.Embeddable;
import jakarta.persistence.EmbeddedId;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.Id;
import jakarta.persistence.IdClass;
import jakarta.persistence.Inheritance;
import jakarta.persistence.InheritanceType;
import jakarta.persistence.MappedSuperclass;
import jakarta.persistence.Version;
import org.hibernate.SessionFactory;
import org.hibernate.stat.Statistics;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.data.jpa.repository.JpaRepository;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of an application with JPA. Its entities are those of the documentation, with
 * inheritance and composite IDs.
 */
@SpringBootTest(webEnvironment = WebEnvironment.NONE,
		properties = "spring.config.location=classpath:io/leaf/application/jpa/")
class JpaApplicationTests {

	@Autowired
	private JdbcClient sql;

	@Autowired
	private TransactionTemplate transactions;

	@Autowired
	private EntityManagerFactory entityManagers;

	@Test
	void aBatchInsertNeedsNoStatementsForItsIds(@Autowired OrderRepository orders) {
		long first = orders.save(new Order("tea")).getId();
		Statistics statistics = statistics();
		List<Order> saved = orders
			.saveAll(IntStream.range(0, 100).mapToObj((number) -> new Order("item " + number)).toList());
		assertThat(statistics.getEntityInsertCount()).isEqualTo(100);
		// inserts in batches of fifty
		assertThat(statistics.getPrepareStatementCount()).isEqualTo(1);
		List<Long> expected = LongStream.rangeClosed(first + 1, first + 100).boxed().toList();
		assertThat(saved).extracting(Order::getId).isEqualTo(expected);
		assertThat(ids("SELECT id FROM orders WHERE id > %d ORDER BY id".formatted(first))).isEqualTo(expected);
		// a tenth of the first segment has been issued, so the second one may have been
		// fetched
		assertThat(row("order")).isGreaterThan(first + 100);
	}

	@Test
	void entitiesOfAMappedSuperclassUseTheKeyOfTheirOwnTable(@Autowired CustomerRepository customers,
			@Autowired SupplierRepository suppliers) {
		Customer customer = customers.save(new Customer("Ada"));
		Supplier supplier = suppliers.save(new Supplier("Grace"));
		Supplier another = suppliers.save(new Supplier("Joan"));
		assertThat(ids("SELECT id FROM customer")).contains(customer.getId());
		assertThat(ids("SELECT id FROM supplier ORDER BY id")).containsExactly(1L, 2L)
			.containsExactly(supplier.getId(), another.getId());
		assertThat(row("customer")).isEqualTo(1001);
		assertThat(row("supplier")).isEqualTo(1001);
	}

	@Test
	void entitiesOfAJoinedHierarchyShareOneKey(@Autowired PaymentRepository payments) {
		payments.saveAll(List.of(new CardPayment(), new BankTransfer(), new CardPayment()));
		assertThat(ids("SELECT id FROM payment ORDER BY id")).containsExactly(1L, 2L, 3L);
		assertThat(ids("SELECT id FROM card_payment ORDER BY id")).containsExactly(1L, 3L);
		assertThat(ids("SELECT id FROM bank_transfer")).containsExactly(2L);
		assertThat(keys()).contains("payment").doesNotContain("card_payment", "bank_transfer");
	}

	@Test
	void entitiesOfASingleTableHierarchyShareTheKeyOfTheTable(@Autowired NoticeRepository notices) {
		notices.saveAll(List.of(new EmailNotice(), new LetterNotice(), new EmailNotice()));
		assertThat(ids("SELECT id FROM notice WHERE dtype = 'EmailNotice' ORDER BY id")).containsExactly(1L, 3L);
		assertThat(ids("SELECT id FROM notice WHERE dtype = 'LetterNotice'")).containsExactly(2L);
		assertThat(keys()).contains("notice").doesNotContain("EmailNotice", "LetterNotice");
	}

	@Test
	void aPartOfAnIdClassIsGenerated(@Autowired OrderLineRepository lines) {
		OrderLine line = new OrderLine(7L);
		List<OrderLine> saved = lines.saveAll(List.of(line, new OrderLine(7L), new OrderLine(8L)));
		assertThat(saved).extracting(OrderLine::getNumber).containsExactly(1L, 2L, 3L);
		// a part of its ID was set, so the entity was merged
		assertThat(line.getNumber()).isNull();
		assertThat(ids("SELECT number FROM order_line WHERE order_id = 7 ORDER BY number")).containsExactly(1L, 2L);
		assertThat(ids("SELECT number FROM order_line WHERE order_id = 8")).containsExactly(3L);
		assertThat(lines.findById(new OrderLineId(8L, 3L))).isPresent();
		assertThat(row("line")).isEqualTo(1001);
	}

	@Test
	void aPartOfAnEmbeddedIdIsGeneratedAndAVersionAvoidsSelects(@Autowired SeatRepository seats) {
		Statistics statistics = statistics();
		Seat seat = new Seat(new SeatId("east", null));
		seats.saveAll(List.of(seat, new Seat(new SeatId("west", null)), new Seat(new SeatId("west", 100L))));
		assertThat(statistics.getPrepareStatementCount()).isEqualTo(1);
		assertThat(seat.getId()).isEqualTo(new SeatId("east", 1L));
		assertThat(ids("SELECT number FROM seat WHERE hall = 'east'")).containsExactly(1L);
		assertThat(ids("SELECT number FROM seat WHERE hall = 'west' ORDER BY number")).containsExactly(2L, 100L);
		assertThat(seats.findById(new SeatId("west", 2L))).isPresent();
		assertThat(row("seat")).isEqualTo(1001);
	}

	@Test
	void idsOfARolledBackTransactionAreNotIssuedAgain(@Autowired CustomerRepository customers) {
		long lost = this.transactions.execute((transaction) -> {
			Customer customer = customers.saveAndFlush(new Customer("Edsger"));
			transaction.setRollbackOnly();
			return customer.getId();
		});
		assertThat(ids("SELECT id FROM customer WHERE name = 'Edsger'")).isEmpty();
		// also if the row of the key was added during that transaction
		assertThat(row("customer")).isEqualTo(1001);
		long next = customers.save(new Customer("Barbara")).getId();
		assertThat(next).isEqualTo(lost + 1);
		assertThat(ids("SELECT id FROM customer WHERE name = 'Barbara'")).containsExactly(next);
	}

	private Statistics statistics() {
		Statistics statistics = this.entityManagers.unwrap(SessionFactory.class).getStatistics();
		statistics.clear();
		return statistics;
	}

	private List<Long> ids(String query) {
		return this.sql.sql(query).query(Long.class).list();
	}

	private List<String> keys() {
		return this.sql.sql("SELECT biz_tag FROM leaf_alloc").query(String.class).list();
	}

	private long row(String key) {
		return this.sql.sql("SELECT max_id FROM leaf_alloc WHERE biz_tag = ?").param(key).query(Long.class).single();
	}

	@SpringBootApplication
	static class JpaApplication {

	}

}

// from docs/persistence.md
@MappedSuperclass
abstract class Numbered {

	@Id
	@LeafId
	private Long id;

	// end of docs/persistence.md

	Long getId() {
		return this.id;
	}

}

@Entity
class Customer extends Numbered {

	private String name;

	protected Customer() {
	}

	Customer(String name) {
		this.name = name;
	}

}

@Entity
class Supplier extends Numbered {

	private String name;

	protected Supplier() {
	}

	Supplier(String name) {
		this.name = name;
	}

}

@Entity
@Inheritance(strategy = InheritanceType.JOINED)
abstract class Payment {

	@Id
	@LeafId("payment")
	private Long id;

}

@Entity
class CardPayment extends Payment {

}

@Entity
class BankTransfer extends Payment {

}

@Entity
@Inheritance(strategy = InheritanceType.SINGLE_TABLE)
abstract class Notice {

	@Id
	@LeafId
	private Long id;

}

@Entity
class EmailNotice extends Notice {

}

@Entity
class LetterNotice extends Notice {

}

// from docs/persistence.md
@Entity
@IdClass(OrderLineId.class)
class OrderLine {

	@Id
	private Long orderId;

	@Id
	@LeafId("line")
	private Long number;

	// end of docs/persistence.md

	protected OrderLine() {
	}

	OrderLine(Long orderId) {
		this.orderId = orderId;
	}

	Long getOrderId() {
		return this.orderId;
	}

	Long getNumber() {
		return this.number;
	}

}

// from docs/persistence.md
record OrderLineId(Long orderId, Long number) implements Serializable {
}
// end of docs/persistence.md

// from docs/persistence.md
@Entity
class Seat {

	@EmbeddedId
	private SeatId id;

	// end of docs/persistence.md

	@Version
	private Integer version;

	protected Seat() {
	}

	Seat(SeatId id) {
		this.id = id;
	}

	SeatId getId() {
		return this.id;
	}

}

// from docs/persistence.md
@Embeddable
record SeatId(String hall, @LeafId("seat") Long number) implements Serializable {
}
// end of docs/persistence.md

interface OrderRepository extends JpaRepository<Order, Long> {

}

interface CustomerRepository extends JpaRepository<Customer, Long> {

}

interface SupplierRepository extends JpaRepository<Supplier, Long> {

}

interface PaymentRepository extends JpaRepository<Payment, Long> {

}

interface NoticeRepository extends JpaRepository<Notice, Long> {

}

interface OrderLineRepository extends JpaRepository<OrderLine, OrderLineId> {

}

interface SeatRepository extends JpaRepository<Seat, SeatId> {

}
