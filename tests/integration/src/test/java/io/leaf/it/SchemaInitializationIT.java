// SPDX-License-Identifier: Apache-2.0

package io.leaf.it;

import java.sql.Connection;
import java.sql.Statement;
import java.util.stream.Stream;

import com.zaxxer.hikari.HikariDataSource;
import io.leaf.IdGenerator;
import io.leaf.UnknownKeyException;
import io.leaf.test.server.DatabaseServer;
import io.leaf.test.server.Databases;
import io.leaf.test.server.Pools;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests {@code leaf.segment.initialize-schema=always} on an empty database.
 */
class SchemaInitializationIT {

	// the servers are shared with other tests, so they must not be closed like other
	// arguments
	static Stream<DatabaseServer> servers() {
		return Stream.of(Databases.mysql(), Databases.mariadb(), Databases.postgresql(), Databases.h2());
	}

	@ParameterizedTest(autoCloseArguments = false)
	@MethodSource("servers")
	void theTableIsCreatedOnceAndKept(DatabaseServer server) {
		String[] database = Pools.properties(server, "schema");
		String[] properties = { "leaf.segment.initialize-schema=always", "leaf.segment.auto-create.enabled=true",
				"leaf.segment.table=my_ids" };
		try (ConfigurableApplicationContext context = LeafApplication.start(database, properties)) {
			assertThat(context.getBean(IdGenerator.class).nextIds("order", 3)).containsExactly(1, 2, 3);
		}
		try (ConfigurableApplicationContext context = LeafApplication.start(database, properties)) {
			assertThat(context.getBean(IdGenerator.class).nextId("order")).as("the unused numbers were given back")
				.isEqualTo(4);
		}
	}

	@ParameterizedTest(autoCloseArguments = false)
	@MethodSource("servers")
	void autoCreateIsOffByDefault(DatabaseServer server) {
		try (ConfigurableApplicationContext context = LeafApplication.start(Pools.properties(server, "schema"),
				"leaf.segment.initialize-schema=always")) {
			assertThatExceptionOfType(UnknownKeyException.class)
				.isThrownBy(() -> context.getBean(IdGenerator.class).nextId("order"));
		}
	}

	@Test
	@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
	void startupFailsIfAnotherProcessIsPausedWhileItCreatesTheTable() throws Exception {
		DatabaseServer server = Databases.postgresql();
		try (HikariDataSource pool = Pools.of(server, "schema");
				Connection paused = pool.getConnection();
				Statement statement = paused.createStatement()) {
			paused.setAutoCommit(false);
			statement.execute("CREATE TABLE leaf_alloc (biz_tag VARCHAR(128))");
			String[] database = { "spring.datasource.url=" + pool.getJdbcUrl(),
					"spring.datasource.username=" + server.username(),
					"spring.datasource.password=" + server.password() };
			assertThatException()
				.isThrownBy(() -> LeafApplication.start(database, "leaf.segment.initialize-schema=always").close())
				.withStackTraceContaining("Leaf's tables (leaf_alloc and others) cannot be created");
			paused.rollback();
		}
	}

}
