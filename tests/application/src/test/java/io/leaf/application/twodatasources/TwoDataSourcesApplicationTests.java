// SPDX-License-Identifier: Apache-2.0

package io.leaf.application.twodatasources;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import io.leaf.IdGenerator;
import io.leaf.application.twodatasources.ledger.Posting;
import io.leaf.application.twodatasources.ledger.PostingRepository;
import io.leaf.application.twodatasources.shop.Purchase;
import io.leaf.application.twodatasources.shop.PurchaseRepository;
import io.leaf.autoconfigure.datasource.LeafDataSource;
import jakarta.persistence.EntityManagerFactory;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.jpa.EntityManagerFactoryBuilder;
import org.springframework.boot.persistence.autoconfigure.EntityScan;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.jpa.repository.config.EnableJpaRepositories;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;
import org.springframework.orm.jpa.JpaTransactionManager;
import org.springframework.orm.jpa.LocalContainerEntityManagerFactoryBean;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of an application with two databases: the one that Spring Boot configures, and a
 * second one, which contains Leaf's table. Both already have rows.
 */
@SpringBootTest(webEnvironment = WebEnvironment.NONE,
		properties = "spring.config.location=classpath:io/leaf/application/twodatasources/")
class TwoDataSourcesApplicationTests {

	@AutoClose
	private static Connection shop;

	@AutoClose
	private static Connection ledger;

	@BeforeAll
	static void createDatabases() throws SQLException {
		shop = database("shop", "CREATE TABLE purchase (id BIGINT PRIMARY KEY, text VARCHAR(255))",
				"INSERT INTO purchase VALUES (7000, 'from before')");
		ledger = database("ledger", "CREATE TABLE posting (id BIGINT PRIMARY KEY, text VARCHAR(255))",
				"INSERT INTO posting VALUES (300, 'from before')");
	}

	// an open connection keeps the in-memory database
	private static Connection database(String name, String... statements) throws SQLException {
		Connection connection = DriverManager.getConnection("jdbc:h2:mem:" + name, "sa", "");
		try (Statement statement = connection.createStatement()) {
			for (String sql : statements) {
				statement.execute(sql);
			}
		}
		return connection;
	}

	@Test
	void leafsTableIsInTheMarkedDatabase() {
		assertThat(tables(ledger)).contains("LEAF_ALLOC");
		assertThat(tables(shop)).contains("PURCHASE").doesNotContain("LEAF_ALLOC");
	}

	@Test
	void entitiesOfBothDatabasesGetIdsAboveThoseInTheirTables(@Autowired PurchaseRepository purchases,
			@Autowired PostingRepository postings) {
		long purchase = purchases.save(new Purchase("tea")).getId();
		// the test of the rollback also draws an ID
		assertThat(purchase).isBetween(7001L, 7002L);
		assertThat(postings.save(new Posting("tea")).getId()).isEqualTo(301);
		assertThat(ids(shop, "SELECT id FROM purchase WHERE text = 'tea'")).containsExactly(purchase);
		assertThat(ids(ledger, "SELECT id FROM posting WHERE text = 'tea'")).containsExactly(301L);
		assertThat(ids(ledger, "SELECT max_id FROM leaf_alloc WHERE biz_tag = 'purchase'")).containsExactly(8001L);
		assertThat(ids(ledger, "SELECT max_id FROM leaf_alloc WHERE biz_tag = 'posting'")).containsExactly(1301L);
	}

	@Test
	void aRollbackInOneDatabaseDoesNotAffectTheIdsInTheOther(@Autowired TransactionTemplate transactions,
			@Autowired PurchaseRepository purchases, @Autowired IdGenerator ids) {
		long lost = transactions.execute((transaction) -> {
			purchases.saveAndFlush(new Purchase("coffee"));
			transaction.setRollbackOnly();
			return ids.nextId("voucher");
		});
		assertThat(ids(shop, "SELECT id FROM purchase WHERE text = 'coffee'")).isEmpty();
		assertThat(ids(ledger, "SELECT max_id FROM leaf_alloc WHERE biz_tag = 'voucher'")).containsExactly(1001L);
		assertThat(ids.nextId("voucher")).isEqualTo(lost + 1);
	}

	@Test
	void theTableIsInTheDefaultDatabaseIfNoDatabaseIsMarked() {
		try (ConfigurableApplicationContext unmarked = new SpringApplicationBuilder(Unmarked.class).run(
				"--spring.config.location=classpath:io/leaf/application/twodatasources/",
				"--spring.datasource.url=jdbc:h2:mem:unmarked-shop",
				"--ledger.datasource.jdbc-url=jdbc:h2:mem:unmarked-ledger")) {
			assertThat(unmarked.getBean(IdGenerator.class).nextId("voucher")).isOne();
			assertThat(unmarked.getBean(JdbcClient.class)
				.sql("SELECT max_id FROM leaf_alloc WHERE biz_tag = 'voucher'")
				.query(Long.class)
				.single()).isEqualTo(1001);
		}
	}

	private static List<String> tables(Connection database) {
		return client(database).sql("SELECT table_name FROM information_schema.tables WHERE table_schema = 'PUBLIC'")
			.query(String.class)
			.list();
	}

	private static List<Long> ids(Connection database, String query) {
		return client(database).sql(query).query(Long.class).list();
	}

	private static JdbcClient client(Connection database) {
		return JdbcClient.create(new SingleConnectionDataSource(database, true));
	}

	@EnableAutoConfiguration
	static class Unmarked {

		@Bean(defaultCandidate = false)
		@Qualifier("ledger")
		@ConfigurationProperties("ledger.datasource")
		HikariDataSource ledgerDataSource() {
			return new HikariDataSource();
		}

	}

	@SpringBootApplication
	@EntityScan(basePackageClasses = Purchase.class)
	@EnableJpaRepositories(basePackageClasses = Purchase.class)
	static class TwoDataSourcesApplication {

	}

}

@Configuration(proxyBeanMethods = false)
@EnableJpaRepositories(basePackageClasses = Posting.class, entityManagerFactoryRef = "ledgerEntityManagerFactory",
		transactionManagerRef = "ledgerTransactionManager")
class LedgerConfiguration {

	// from docs/operations.md
	@Bean(defaultCandidate = false)
	@LeafDataSource
	@ConfigurationProperties("ledger.datasource")
	HikariDataSource ledgerDataSource() {
		return new HikariDataSource();
	}
	// end of docs/operations.md

	// from docs/persistence.md
	@Bean(defaultCandidate = false)
	LocalContainerEntityManagerFactoryBean ledgerEntityManagerFactory(EntityManagerFactoryBuilder builder,
			@Qualifier("ledgerDataSource") DataSource dataSource) {
		return builder.dataSource(dataSource).packages(Posting.class).persistenceUnit("ledger").build();
	}
	// end of docs/persistence.md

	@Bean(defaultCandidate = false)
	JpaTransactionManager ledgerTransactionManager(
			@Qualifier("ledgerEntityManagerFactory") EntityManagerFactory entityManagers) {
		return new JpaTransactionManager(entityManagers);
	}

}
