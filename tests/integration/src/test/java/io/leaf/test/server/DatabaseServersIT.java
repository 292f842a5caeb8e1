// SPDX-License-Identifier: Apache-2.0

package io.leaf.test.server;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.function.Supplier;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.junit.jupiter.params.provider.Arguments.arguments;

class DatabaseServersIT {

	static Stream<Arguments> servers() {
		// MySqlServersIT tests which product is used as MySQL
		return Stream.of(arguments("(MySQL|MariaDB) \\d.*", supplier(Databases::mysql)),
				arguments("MariaDB 11\\..*", supplier(Databases::mariadb)),
				arguments("PostgreSQL 18\\..*", supplier(Databases::postgresql)),
				arguments("H2 2\\..*", supplier(Databases::h2)));
	}

	private static Supplier<DatabaseServer> supplier(Supplier<DatabaseServer> supplier) {
		return supplier;
	}

	@ParameterizedTest
	@MethodSource("servers")
	void reportsTheExpectedProduct(String product, Supplier<DatabaseServer> server) {
		assertThat(server.get().product()).matches(product);
	}

	@ParameterizedTest
	@MethodSource("servers")
	void isStartedOnce(String product, Supplier<DatabaseServer> server) {
		assertThat(server.get()).isSameAs(server.get());
	}

	@ParameterizedTest
	@MethodSource("servers")
	void keepsOnlyCommittedRows(String product, Supplier<DatabaseServer> supplier) throws SQLException {
		DatabaseServer server = supplier.get();
		String url = server.createDatabase("kept");
		try (Connection connection = server.connect(url); Statement statement = connection.createStatement()) {
			statement.execute("CREATE TABLE kept (id BIGINT PRIMARY KEY)");
			connection.setAutoCommit(false);
			statement.executeUpdate("INSERT INTO kept VALUES (1)");
			connection.commit();
			statement.executeUpdate("INSERT INTO kept VALUES (2)");
			connection.rollback();
		}
		try (Connection connection = server.connect(url);
				Statement statement = connection.createStatement();
				ResultSet rows = statement.executeQuery("SELECT MIN(id), COUNT(*) FROM kept")) {
			assertThat(rows.next()).isTrue();
			assertThat(rows.getLong(1)).isEqualTo(1);
			assertThat(rows.getLong(2)).isEqualTo(1);
		}
	}

	@ParameterizedTest
	@MethodSource("servers")
	void createsASeparateDatabaseForEachCaller(String product, Supplier<DatabaseServer> supplier) throws SQLException {
		DatabaseServer server = supplier.get();
		String one = server.createDatabase("same_name");
		String other = server.createDatabase("same_name");
		assertThat(one).contains("same_name").isNotEqualTo(other);
		try (Connection connection = server.connect(one); Statement statement = connection.createStatement()) {
			statement.execute("CREATE TABLE only_in_one (id BIGINT PRIMARY KEY)");
		}
		try (Connection connection = server.connect(other); Statement statement = connection.createStatement()) {
			assertThatExceptionOfType(SQLException.class)
				.isThrownBy(() -> statement.executeQuery("SELECT * FROM only_in_one"));
		}
	}

	@Test
	@EnabledIfSystemProperty(named = "leaf.test.full", matches = "true", disabledReason = "starts two more servers")
	void durableServersWriteCommitsToDisk() throws SQLException {
		try (ControllableServer mysql = Databases.startDurableMysql();
				ControllableServer postgresql = Databases.startDurablePostgresql()) {
			assertThat(value(mysql, "SELECT @@innodb_flush_log_at_trx_commit")).isEqualTo("1");
			assertThat(value(mysql, "SELECT @@innodb_doublewrite")).isIn("ON", "1");
			// MariaDB, if used in place of MySQL, has no binary log by default
			assertThat(value(mysql, "SELECT @@log_bin")).isEqualTo(mysql.product().startsWith("MySQL") ? "1" : "0");
			assertThat(value(postgresql, "SHOW fsync")).isEqualTo("on");
			assertThat(value(postgresql, "SHOW synchronous_commit")).isEqualTo("on");
		}
	}

	private static String value(DatabaseServer server, String sql) throws SQLException {
		try (Connection connection = server.connect(server.jdbcUrl());
				Statement statement = connection.createStatement();
				ResultSet rows = statement.executeQuery(sql)) {
			rows.next();
			return rows.getString(1);
		}
	}

	@Test
	void refusesInvalidDatabaseNames() {
		assertThatIllegalArgumentException().isThrownBy(() -> Databases.h2().createDatabase("x; DROP DATABASE y"));
	}

}
