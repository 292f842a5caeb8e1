// SPDX-License-Identifier: Apache-2.0

package io.leaf.it;

import java.time.Duration;

import com.zaxxer.hikari.HikariDataSource;
import io.leaf.IdGenerator;
import io.leaf.IdSequence;
import io.leaf.SegmentUnavailableException;
import io.leaf.segment.SegmentStoreException;
import io.leaf.test.server.DatabaseServer;
import io.leaf.test.server.Databases;
import io.leaf.test.server.JdbcUrls;
import io.leaf.test.server.Pools;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests applications whose database user has wrong credentials, or too few rights.
 */
class DatabaseRightsIT {

	private static final String USER = "leaf_limited";

	private final DatabaseServer server = Databases.mysql();

	private final HikariDataSource pool = Pools.of(this.server, "rights");

	private final JdbcTemplate jdbc = new JdbcTemplate(this.pool);

	@BeforeEach
	void createUser() {
		this.jdbc.execute(
				"CREATE TABLE leaf_alloc (biz_tag VARCHAR(128) PRIMARY KEY, max_id BIGINT NOT NULL, step INT NOT NULL)");
		this.jdbc.update("INSERT INTO leaf_alloc (biz_tag, max_id, step) VALUES ('order', 1, 10)");
		this.jdbc.execute("DROP USER IF EXISTS " + USER);
		this.jdbc.execute("CREATE USER " + USER + " IDENTIFIED BY 'right'");
	}

	@AfterEach
	void close() {
		this.jdbc.execute("DROP USER IF EXISTS " + USER);
		this.pool.close();
	}

	private void grant(String rights) {
		this.jdbc.execute("GRANT " + rights + " ON leaf_alloc TO " + USER);
	}

	private ConfigurableApplicationContext start(String password, String... properties) {
		// without TLS, MySQL's default authentication requests the server's public key
		String url = JdbcUrls.with(this.pool.getJdbcUrl(), "allowPublicKeyRetrieval", "true");
		String[] database = { "spring.datasource.url=" + url, "spring.datasource.username=" + USER,
				"spring.datasource.password=" + password };
		return LeafApplication.start(database, properties);
	}

	@Test
	void theDocumentedRightsAreEnough() {
		grant("SELECT, UPDATE");
		try (ConfigurableApplicationContext context = start("right")) {
			assertThat(context.getBean(IdGenerator.class).nextId("order")).isEqualTo(1);
		}
		assertThat(this.jdbc.queryForObject("SELECT max_id FROM leaf_alloc", Long.class)).as("given back").isEqualTo(2);
	}

	@Test
	void wrongCredentialsAtStartupAreReported() {
		grant("SELECT, UPDATE");
		assertThatException().isThrownBy(() -> start("wrong"))
			.havingRootCause()
			.withMessageContaining("Access denied for user");
		assertThatException().isThrownBy(() -> start("wrong"))
			.satisfies(
					(ex) -> assertThat(storeFailure(ex)).hasMessageContainingAll("The database rejects the credentials",
							"spring.datasource.username", "leaf.segment.datasource.username"));
	}

	private static SegmentStoreException storeFailure(Throwable failure) {
		for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
			if (cause instanceof SegmentStoreException ex) {
				return ex;
			}
		}
		throw new AssertionError("No SegmentStoreException", failure);
	}

	@Test
	void applicationRecoversFromWrongCredentialsAtRunTime() {
		grant("SELECT, UPDATE");
		try (ConfigurableApplicationContext context = start("right")) {
			IdSequence sequence = context.getBean(IdGenerator.class).sequence("order");
			assertThat(sequence.nextId()).isEqualTo(1);
			this.jdbc.execute("ALTER USER " + USER + " IDENTIFIED BY 'changed'");
			endConnections();
			assertThatExceptionOfType(SegmentUnavailableException.class).isThrownBy(() -> drawThirty(sequence))
				.withMessageContainingAll("'order'", "The database rejects the credentials");
			this.jdbc.execute("ALTER USER " + USER + " IDENTIFIED BY 'right'");
			Awaitility.await()
				.atMost(Duration.ofSeconds(30))
				.ignoreException(SegmentUnavailableException.class)
				.until(() -> sequence.nextId() > 10);
		}
	}

	private void endConnections() {
		this.jdbc.queryForList("SELECT id FROM information_schema.processlist WHERE user = ?", Long.class, USER)
			.forEach((id) -> this.jdbc.execute("KILL " + id));
	}

	private static void drawThirty(IdSequence sequence) {
		for (int i = 0; i < 30; i++) {
			sequence.nextId();
		}
	}

	enum MissingRight {

		SELECT("UPDATE"), UPDATE("SELECT");

		private final String granted;

		MissingRight(String granted) {
			this.granted = granted;
		}

	}

	@ParameterizedTest
	@EnumSource
	void aMissingRightIsReported(MissingRight missing) {
		grant(missing.granted);
		assertThatException().isThrownBy(() -> {
			try (ConfigurableApplicationContext context = start("right", "leaf.segment.acquire-timeout=10s")) {
				context.getBean(IdGenerator.class).nextId("order");
			}
		})
			.satisfies((ex) -> assertThat(storeFailure(ex)).hasMessageContainingAll(missing + " command denied",
					"Grant SELECT and UPDATE"));
	}

	@Test
	void aMissingRightToAddRowsIsReported() {
		grant("SELECT, UPDATE");
		try (ConfigurableApplicationContext context = start("right", "leaf.segment.auto-create.enabled=true")) {
			assertThatExceptionOfType(SegmentUnavailableException.class)
				.isThrownBy(() -> context.getBean(IdGenerator.class).nextId("customer"))
				.withMessageContainingAll("'customer'", "INSERT command denied", "leaf.segment.auto-create.enabled");
		}
	}

}
