// SPDX-License-Identifier: Apache-2.0

package io.leaf.application.routing;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

import io.leaf.IdGenerator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

/**
 * Tests of an application that writes to a primary server and reads from a replica. Its
 * {@code DataSource} routes to the primary server only in transactions that can write.
 * The replica is a read-only copy of the primary database and is never updated.
 */
@ExtendWith(OutputCaptureExtension.class)
class RoutingApplicationTests {

	@TempDir
	private Path folder;

	@BeforeEach
	void createDatabases() throws Exception {
		try (Connection connection = DriverManager.getConnection(url("primary"), "sa", "");
				Statement statement = connection.createStatement()) {
			statement.execute("RUNSCRIPT FROM '../../sql/schema-h2.sql'");
			statement.execute("INSERT INTO leaf_alloc (biz_tag, max_id, step) VALUES ('order', 1, 1000)");
			statement.execute("CREATE TABLE orders (id BIGINT, item VARCHAR(255))");
			statement.execute("INSERT INTO orders VALUES (0, 'from before')");
		}
		Files.copy(this.folder.resolve("primary.mv.db"), this.folder.resolve("replica.mv.db"));
	}

	@Test
	void segmentsComeFromTheMarkedPrimaryServer(CapturedOutput output) throws SQLException {
		try (ConfigurableApplicationContext context = run()) {
			Orders orders = context.getBean(Orders.class);
			assertThat(orders.place("tea")).isEqualTo(1);
			assertThat(orders.place("coffee")).isEqualTo(2);
			assertThat(orders.items()).containsExactly("from before");
			assertThat(primary("SELECT id FROM orders WHERE id > 0 ORDER BY id")).containsExactly(1L, 2L);
			assertThat(primary("SELECT max_id FROM leaf_alloc WHERE biz_tag = 'order'")).containsExactly(1001L);
		}
		assertThat(primary("SELECT max_id FROM leaf_alloc WHERE biz_tag = 'order'")).containsExactly(3L);
		assertThat(output).contains("derived from DataSource bean 'primary' (qualified with @LeafDataSource)");
	}

	@Test
	void aReadOnlyTransactionGetsIds() {
		try (ConfigurableApplicationContext context = run()) {
			assertThat(context.getBean(Orders.class).reserve()).isEqualTo(1);
			assertThat(primary("SELECT max_id FROM leaf_alloc WHERE biz_tag = 'order'")).containsExactly(1001L);
		}
	}

	@Test
	void aRoutingDataSourceThatIsNotMarkedIsUsedDirectlyAsInATransactionThatCanWrite(CapturedOutput output) {
		try (ConfigurableApplicationContext context = run(url("primary"), "--spring.profiles.active=unmarked")) {
			assertThat(context.getBean(Orders.class).place("tea")).isEqualTo(1);
			assertThat(context.getBean(Orders.class).reserve()).isEqualTo(2);
			assertThat(primary("SELECT max_id FROM leaf_alloc WHERE biz_tag = 'order'")).containsExactly(1001L);
		}
		assertThat(output).contains("DataSource bean 'dataSource'", "is used directly");
	}

	@Test
	void startupFailsWithAdviceIfTheDataSourceLeadsToAReplica(CapturedOutput output) {
		// startup fails after five times the timeout
		assertThatException().isThrownBy(() -> run(url("replica") + ";ACCESS_MODE_DATA=r",
				"--spring.profiles.active=unmarked", "--leaf.segment.acquire-timeout=100ms")
			.close());
		assertThat(output).contains("APPLICATION FAILED TO START")
			.contains("The database of table leaf_alloc is read-only")
			.contains(
					"If the application's DataSource routes to replicas, set leaf.segment.datasource.url, or qualify the DataSource of the primary server with @LeafDataSource");
	}

	@Test
	void theUrlOfThePrimaryServerCanBeConfiguredInstead() {
		try (ConfigurableApplicationContext context = run(url("primary"), "--spring.profiles.active=unmarked",
				"--leaf.segment.datasource.url=" + url("primary"))) {
			assertThat(context.getBean(Orders.class).place("tea")).isEqualTo(1);
			assertThat(primary("SELECT id FROM orders WHERE item = 'tea'")).containsExactly(1L);
		}
	}

	private ConfigurableApplicationContext run() {
		return run(url("primary"));
	}

	private ConfigurableApplicationContext run(String primary, String... arguments) {
		List<String> all = new ArrayList<>(List.of("--spring.config.location=classpath:io/leaf/application/routing/",
				"--shop.primary.jdbc-url=" + primary, "--shop.primary.username=sa",
				"--shop.replica.jdbc-url=" + url("replica") + ";ACCESS_MODE_DATA=r", "--shop.replica.username=sa"));
		all.addAll(List.of(arguments));
		return SpringApplication.run(RoutingApplication.class, all.toArray(String[]::new));
	}

	private List<Long> primary(String query) {
		return JdbcClient.create(new DriverManagerDataSource(url("primary"), "sa", ""))
			.sql(query)
			.query(Long.class)
			.list();
	}

	private String url(String database) {
		return "jdbc:h2:file:" + this.folder.resolve(database);
	}

	@SpringBootApplication
	static class RoutingApplication {

	}

}

@Service
class Orders {

	private final JdbcClient sql;

	private final IdGenerator ids;

	Orders(JdbcClient sql, IdGenerator ids) {
		this.sql = sql;
		this.ids = ids;
	}

	@Transactional
	long place(String item) {
		long id = this.ids.nextId("order");
		this.sql.sql("INSERT INTO orders (id, item) VALUES (?, ?)").params(id, item).update();
		return id;
	}

	@Transactional(readOnly = true)
	List<String> items() {
		return this.sql.sql("SELECT item FROM orders ORDER BY id").query(String.class).list();
	}

	@Transactional(readOnly = true)
	long reserve() {
		items();
		return this.ids.nextId("order");
	}

}
