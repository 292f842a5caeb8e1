// SPDX-License-Identifier: Apache-2.0

package io.leaf.test.server;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.stream.Stream;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests each server with each fault. The tests of one server share it, so each of them
 * also checks that the server works after the previous fault.
 */
@EnabledIfSystemProperty(named = "leaf.test.full", matches = "true", disabledReason = "starts three more servers")
class ControllableServerIT {

	@Nested
	class MySql extends Faults {

		@Override
		ControllableServer startServer() {
			return Databases.startMysql();
		}

	}

	@Nested
	class MariaDb extends Faults {

		@Override
		ControllableServer startServer() {
			return Databases.startMariadb();
		}

	}

	@Nested
	class PostgreSql extends Faults {

		@Override
		ControllableServer startServer() {
			return Databases.startPostgresql();
		}

	}

	@TestInstance(TestInstance.Lifecycle.PER_CLASS)
	abstract static class Faults {

		private ControllableServer server;

		private String url;

		abstract ControllableServer startServer();

		@BeforeAll
		void createTable() throws SQLException {
			this.server = startServer();
			this.url = this.server.createDatabase("faults");
			execute("CREATE TABLE kept (id BIGINT PRIMARY KEY)");
		}

		@AfterAll
		void closeServer() {
			if (this.server != null) {
				this.server.close();
			}
		}

		@Test
		void keepsCommittedRowsWhenKilled() throws SQLException {
			execute("DELETE FROM kept");
			try (Connection connection = this.server.connect(this.url);
					Statement statement = connection.createStatement()) {
				connection.setAutoCommit(false);
				for (int id = 1; id <= 100; id++) {
					statement.executeUpdate("INSERT INTO kept VALUES (" + id + ")");
					connection.commit();
				}
				statement.executeUpdate("INSERT INTO kept VALUES (101)");
				this.server.kill();
				assertThatExceptionOfType(SQLException.class).isThrownBy(connection::commit);
			}
			catch (SQLException ex) {
				// the server was killed, so closing the connection may fail
			}
			assertThatExceptionOfType(SQLException.class).isThrownBy(() -> this.server.connect(this.url));
			this.server.start();
			assertThat(count()).isEqualTo(100);
		}

		@Test
		void stopsWhileClientsAreConnectedAndStartsAgain() throws SQLException {
			execute("DELETE FROM kept");
			execute("INSERT INTO kept VALUES (1)");
			try (Connection connection = this.server.connect(this.url)) {
				this.server.stop();
				assertThat(connection.isValid(1)).isFalse();
			}
			assertThatExceptionOfType(SQLException.class).isThrownBy(() -> this.server.connect(this.url));
			this.server.start();
			assertThat(count()).isEqualTo(1);
		}

		@Test
		void doesNotAnswerWhilePausedAndAnswersAfterwards() throws SQLException {
			String impatient = JdbcUrls.withTimeout(this.url, Duration.ofSeconds(1));
			try (Connection connection = this.server.connect(impatient);
					Connection patient = this.server.connect(this.url);
					Statement statement = connection.createStatement()) {
				this.server.pause();
				assertThatExceptionOfType(SQLException.class).isThrownBy(() -> statement.executeQuery("SELECT 1"));
				assertThatExceptionOfType(SQLException.class).isThrownBy(() -> this.server.connect(impatient));
				this.server.resume();
				assertThat(patient.isValid(30)).isTrue();
			}
			finally {
				this.server.resume();
			}
			Awaitility.await().atMost(Duration.ofSeconds(60)).ignoreExceptions().until(this::count, (count) -> true);
		}

		@Test
		void stopsWhilePaused() throws SQLException {
			this.server.pause();
			this.server.stop();
			this.server.start();
			count();
		}

		@Test
		void cannotBeStartedTwice() {
			assertThatIllegalStateException().isThrownBy(this.server::start);
		}

		private void execute(String sql) throws SQLException {
			try (Connection connection = this.server.connect(this.url);
					Statement statement = connection.createStatement()) {
				statement.execute(sql);
			}
		}

		private long count() throws SQLException {
			try (Connection connection = this.server.connect(this.url);
					Statement statement = connection.createStatement();
					ResultSet rows = statement.executeQuery("SELECT COUNT(*) FROM kept")) {
				rows.next();
				return rows.getLong(1);
			}
		}

	}

	@Test
	void closeLeavesNoProcessBehind() {
		long before = children();
		Databases.startPostgresql().close();
		assertThat(children()).isEqualTo(before);
	}

	private static long children() {
		try (Stream<ProcessHandle> children = ProcessHandle.current().children()) {
			return children.count();
		}
	}

}
