// SPDX-License-Identifier: Apache-2.0

package io.leaf.application.mybatis;

import java.util.List;
import java.util.stream.IntStream;

import io.leaf.LeafId;
import org.apache.ibatis.annotations.Insert;
import org.apache.ibatis.annotations.Mapper;
import org.apache.ibatis.annotations.Param;
import org.apache.ibatis.session.ExecutorType;
import org.apache.ibatis.session.SqlSession;
import org.apache.ibatis.session.SqlSessionFactory;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of an application with MyBatis, whose statements are in annotations and in XML.
 * Its {@code data.sql} inserts the row of its key.
 */
@SpringBootTest(webEnvironment = WebEnvironment.NONE,
		properties = "spring.config.location=classpath:io/leaf/application/mybatis/")
class MybatisApplicationTests {

	@Autowired
	private JdbcClient sql;

	@Test
	void annotatedInsertsGetIds(@Autowired PaymentMapper payments) {
		Payment ada = new Payment("Ada");
		payments.insert(ada);
		List<Payment> others = List.of(new Payment("Grace"), new Payment("Joan"));
		payments.insertAll(others);
		assertThat(List.of(others.get(0).getId(), others.get(1).getId())).containsExactly(ada.getId() + 1,
				ada.getId() + 2);
		assertThat(ids("Ada")).containsExactly(ada.getId());
		assertThat(ids("Grace", "Joan")).containsExactly(ada.getId() + 1, ada.getId() + 2);
		assertThat(row()).isEqualTo(1001);
	}

	@Test
	void insertsInXmlGetIds(@Autowired PaymentXmlMapper payments) {
		Payment barbara = new Payment("Barbara");
		payments.insert(barbara);
		payments.insertAll(List.of(new Payment("Frances"), new Payment("Jean")));
		assertThat(ids("Barbara")).containsExactly(barbara.getId());
		assertThat(ids("Frances", "Jean")).containsExactly(barbara.getId() + 1, barbara.getId() + 2);
	}

	@Test
	void batchInsertsGetIds(@Autowired SqlSessionFactory sessions) {
		try (SqlSession session = sessions.openSession(ExecutorType.BATCH, false)) {
			PaymentMapper payments = session.getMapper(PaymentMapper.class);
			IntStream.range(0, 50).forEach((number) -> payments.insert(new Payment("batch")));
			session.commit();
		}
		List<Long> ids = ids("batch");
		assertThat(ids).hasSize(50).doesNotHaveDuplicates();
		assertThat(ids.get(49) - ids.get(0)).isEqualTo(49);
	}

	@Test
	void idsOfARolledBackTransactionAreNotIssuedAgain(@Autowired PaymentMapper payments,
			@Autowired TransactionTemplate transactions) {
		Payment lost = new Payment("lost");
		transactions.executeWithoutResult((transaction) -> {
			payments.insert(lost);
			transaction.setRollbackOnly();
		});
		Payment next = new Payment("next");
		payments.insert(next);
		assertThat(ids("lost")).isEmpty();
		assertThat(ids("next")).containsExactly(lost.getId() + 1);
	}

	private List<Long> ids(String... customers) {
		return this.sql.sql("SELECT id FROM payment WHERE customer IN (:customers) ORDER BY id")
			.param("customers", List.of(customers))
			.query(Long.class)
			.list();
	}

	private long row() {
		return this.sql.sql("SELECT max_id FROM leaf_alloc WHERE biz_tag = 'payment'").query(Long.class).single();
	}

	@SpringBootApplication
	static class MybatisApplication {

	}

}

// from docs/persistence.md
class Payment {

	@LeafId("payment")
	private Long id;

	private String customer;

	// end of docs/persistence.md

	Payment(String customer) {
		this.customer = customer;
	}

	Long getId() {
		return this.id;
	}

	String getCustomer() {
		return this.customer;
	}

}

@Mapper
interface PaymentMapper {

	@Insert("INSERT INTO payment (id, customer) VALUES (#{id}, #{customer})")
	void insert(Payment payment);

	@Insert("""
			<script>
			INSERT INTO payment (id, customer) VALUES
			<foreach collection="payments" item="p" separator=",">(#{p.id}, #{p.customer})</foreach>
			</script>
			""")
	void insertAll(@Param("payments") List<Payment> payments);

}

@Mapper
interface PaymentXmlMapper {

	void insert(Payment payment);

	void insertAll(List<Payment> payments);

}
