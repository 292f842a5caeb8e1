// SPDX-License-Identifier: Apache-2.0

package io.leaf.it;

import java.time.Duration;
import java.util.List;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import io.leaf.IdGenerator;
import io.leaf.IdSequence;
import io.leaf.SegmentUnavailableException;
import io.leaf.test.server.ControllableServer;
import io.leaf.test.server.Databases;
import io.leaf.test.server.JdbcUrls;
import io.leaf.test.server.Pools;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests an application with a replication URL of Connector/J, which sends the statements
 * of read-only connections to a replica.
 */
class ReplicationUrlIT {

	private final ControllableServer replicaServer = Databases.startMysql();

	private final HikariDataSource sourcePool = Pools.of(Databases.mysql(), "replication_url");

	private final JdbcTemplate source = new JdbcTemplate(this.sourcePool);

	private JdbcTemplate replica;

	private String url;

	@BeforeEach
	void createTables() {
		String[] parts = this.sourcePool.getJdbcUrl().split("/");
		String database = parts[parts.length - 1];
		new JdbcTemplate(dataSource(this.replicaServer.jdbcUrl())).execute("CREATE DATABASE " + database);
		this.replica = new JdbcTemplate(dataSource(JdbcUrls.withDatabase(this.replicaServer.jdbcUrl(), database)));
		this.url = "jdbc:mysql:replication://%s,%s/%s".formatted(parts[2], this.replicaServer.jdbcUrl().split("/")[2],
				database);
		for (JdbcTemplate server : List.of(this.source, this.replica)) {
			server.execute("CREATE TABLE server (name VARCHAR(10))");
			server.update("INSERT INTO server VALUES (?)", (server == this.source) ? "source" : "replica");
			server.execute(
					"CREATE TABLE leaf_alloc (biz_tag VARCHAR(128) PRIMARY KEY, max_id BIGINT NOT NULL, step INT NOT NULL)");
			server.update("INSERT INTO leaf_alloc (biz_tag, max_id, step) VALUES ('order', 1, 10)");
		}
		this.replica.execute("SET GLOBAL log_output = 'TABLE'");
		this.replica.execute("SET GLOBAL general_log = ON");
	}

	private DataSource dataSource(String url) {
		return new DriverManagerDataSource(url, this.replicaServer.username(), this.replicaServer.password());
	}

	@AfterEach
	void close() {
		this.sourcePool.close();
		this.replicaServer.close();
	}

	private ConfigurableApplicationContext start(String... properties) {
		String[] database = { "spring.datasource.url=" + this.url,
				"spring.datasource.username=" + this.sourcePool.getUsername(),
				"spring.datasource.password=" + this.sourcePool.getPassword() };
		return LeafApplication.start(database, properties);
	}

	@Test
	void noStatementOfLeafGoesToAReplicaEvenIfTheConnectionsOfTheApplicationAreReadOnly() {
		try (ConfigurableApplicationContext context = start("spring.datasource.hikari.read-only=true")) {
			assertThat(new JdbcTemplate(context.getBean(DataSource.class)).queryForObject("SELECT name FROM server",
					String.class))
				.as("the server from which the application reads")
				.isEqualTo("replica");
			IdGenerator generator = context.getBean(IdGenerator.class);
			for (int id = 1; id <= 100; id++) {
				assertThat(generator.nextId("order")).isEqualTo(id);
			}
		}
		assertThat(this.source.queryForObject("SELECT max_id FROM leaf_alloc", Long.class)).isEqualTo(101);
		assertThat(this.replica.queryForList(
				"SELECT CONVERT(argument USING utf8mb4) FROM mysql.general_log WHERE command_type IN ('Query', 'Execute', 'Prepare')",
				String.class))
			.anyMatch((statement) -> statement.contains("FROM server"))
			.noneMatch((statement) -> statement.contains("leaf_alloc"));
	}

	/**
	 * The driver and the pool can wait for each other forever if they close a connection
	 * and its statement at the same time.
	 */
	@Test
	void statementsThatFailDoNotBlockTheThreadsOfThePool() {
		try (ConfigurableApplicationContext context = start("leaf.segment.acquire-timeout=100ms")) {
			IdSequence sequence = context.getBean(IdGenerator.class).sequence("order");
			this.source.execute("RENAME TABLE leaf_alloc TO leaf_renamed");
			Awaitility.await().during(Duration.ofSeconds(10)).atMost(Duration.ofSeconds(20)).until(() -> {
				drawUntilUnavailable(sequence);
				return true;
			});
			this.source.execute("RENAME TABLE leaf_renamed TO leaf_alloc");
			Awaitility.await().atMost(Duration.ofSeconds(20)).ignoreExceptions().until(() -> sequence.nextId() > 0);
		}
	}

	private static void drawUntilUnavailable(IdSequence sequence) {
		assertThatExceptionOfType(SegmentUnavailableException.class).isThrownBy(() -> {
			while (true) {
				sequence.nextId();
			}
		});
	}

}
