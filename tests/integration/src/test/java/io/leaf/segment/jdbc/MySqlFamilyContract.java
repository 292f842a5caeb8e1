// SPDX-License-Identifier: Apache-2.0

package io.leaf.segment.jdbc;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

import com.zaxxer.hikari.HikariDataSource;
import io.leaf.UnknownKeyException;
import io.leaf.jdbc.TableName;
import io.leaf.segment.SegmentIdGenerator;
import io.leaf.segment.SegmentRow;
import io.leaf.segment.SegmentStore.Unissued;
import io.leaf.segment.SegmentStore;
import io.leaf.segment.SegmentStoreException;
import io.leaf.segment.TestSettings;
import io.leaf.test.server.UncommittedSessions;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * The contract of {@link JdbcSegmentStore} on MySQL and MariaDB, in addition to the
 * contract for all databases: their collations can equate keys that differ, and their
 * sessions can stop committing without the driver's knowledge.
 */
abstract class MySqlFamilyContract extends JdbcSegmentStoreContract {

	@Override
	protected abstract HikariDataSource dataSource();

	@Override
	protected String latinText() {
		return "VARCHAR(128) CHARACTER SET latin1";
	}

	private void createTable(String collation) {
		JdbcTemplate jdbc = new JdbcTemplate(dataSource());
		jdbc.execute("DROP TABLE IF EXISTS leaf_alloc");
		jdbc.execute(
				"CREATE TABLE leaf_alloc (biz_tag VARCHAR(128) CHARACTER SET utf8mb4 COLLATE %s NOT NULL PRIMARY KEY, max_id BIGINT NOT NULL, step INT NOT NULL)"
					.formatted(collation));
	}

	@ParameterizedTest
	@CsvSource(quoteCharacter = '"', textBlock = """
			utf8mb4_general_ci, Order,    order
			utf8mb4_unicode_ci, café,     cafe
			utf8mb4_bin,        "order ", order
			""")
	void aKeyThatTheCollationEquatesWithAnotherIsUnknown(String collation, String key, String present) {
		createTable(collation);
		put(present, 1, 10);
		for (int step : new int[] { 0, 1000 }) {
			try (SegmentIdGenerator generator = generator(store(), step)) {
				assertThatExceptionOfType(UnknownKeyException.class).isThrownBy(() -> generator.nextId(key))
					.withMessageContainingAll("'" + key + "'", "existing key '" + present + "'", "utf8mb4_bin")
					.withMessageNotContaining("Add one");
				assertThat(generator.nextId(present)).isPositive();
			}
		}
	}

	@ParameterizedTest
	@CsvSource({ "MEDIUMINT, 8388607", "MEDIUMINT UNSIGNED, 8388607", "TINYINT(1), 127", "FLOAT, 20000000" })
	void twoProcessesDoNotShareTheLargestNumberOfAColumnInASessionThatIsNotStrict(String type, long largest)
			throws SQLException {
		SingleConnectionDataSource session = new SingleConnectionDataSource(dataSource().getConnection(), true);
		JdbcTemplate jdbc = new JdbcTemplate(session);
		try {
			jdbc.execute("SET SESSION sql_mode = ''");
			jdbc.execute("DROP TABLE IF EXISTS leaf_alloc");
			jdbc.execute(
					"CREATE TABLE leaf_alloc (biz_tag VARCHAR(128) PRIMARY KEY, max_id %s, step INT)".formatted(type));
			put("order", largest, 1);
			for (int process = 1; process <= 2; process++) {
				JdbcSegmentStore store = new JdbcSegmentStore(session, new TableName("leaf_alloc"));
				assertThatExceptionOfType(SegmentStoreException.class)
					.isThrownBy(() -> store.allocate("order", 1, 0, Duration.ofSeconds(5)))
					.satisfies((ex) -> assertThat(ex.isRefusal()).isTrue());
			}
		}
		finally {
			jdbc.execute("SET SESSION sql_mode = DEFAULT");
			session.destroy();
		}
	}

	private static SegmentIdGenerator generator(SegmentStore store, int autoCreateStep) {
		SegmentIdGenerator generator = new SegmentIdGenerator(store,
				TestSettings.DEFAULTS.toBuilder()
					.acquireTimeout(Duration.ofSeconds(30))
					.autoCreateStep(autoCreateStep)
					.build());
		generator.start();
		return generator;
	}

	@ParameterizedTest
	@CsvSource({ "Order, order", "café, cafe", "ORDER, Order" })
	void theShippedTableDistinguishesSuchKeys(String one, String other) {
		new JdbcTemplate(dataSource()).execute("DROP TABLE IF EXISTS leaf_alloc");
		run(TableLayout.SHIPPED.ddl(platform()));
		put(one, 1, 10);
		store().create(other, 10, 500);
		assertAllocated(allocate(one, 10), 1, 11, 10);
		assertAllocated(allocate(other, 10), 500, 510, 10);
		assertThat(store().find(List.of(one))).containsExactly(new SegmentRow(one, 11, 10));
	}

	@ParameterizedTest
	@CsvSource({ "Order, order" })
	void numbersAreGivenBackToTheKeyThatTheyBelongTo(String renamed, String present) {
		createTable("utf8mb4_general_ci");
		put(present, 6000, 1000);
		store().giveBack(List.of(new Unissued(renamed, 4500, 5000), new Unissued(present, 5400, 6000)));
		assertThat(store().find(List.of(present))).containsExactly(new SegmentRow(present, 5400, 1000));
	}

	@ParameterizedTest
	@CsvSource({ "Order, order" })
	void theAdviceOfTheMessageWorks(String one, String other) {
		createTable("utf8mb4_general_ci");
		put(one, 1, 10);
		new JdbcTemplate(dataSource())
			.execute("ALTER TABLE leaf_alloc MODIFY biz_tag VARCHAR(128) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin");
		store().create(other, 10, 500);
		assertThat(store().find(List.of(other))).containsExactly(new SegmentRow(other, 500, 10));
	}

	@Test
	void allocate_sendsOneCommand() throws SQLException {
		put("order", 1, 10);
		try (Connection connection = dataSource().getConnection()) {
			JdbcSegmentStore store = new JdbcSegmentStore(new SingleConnectionDataSource(connection, true),
					new TableName("leaf_alloc"));
			store.allocate("order", 10, 0, TIMEOUT);
			long commands = commands(connection);
			long own = commands(connection) - commands;
			for (int i = 1; i <= 5; i++) {
				store.allocate("order", 10, 0, TIMEOUT);
			}
			assertThat(commands(connection) - commands).as("five commands, and the commands that count them")
				.isEqualTo(5 + 2 * own);
			assertThat(store().find(List.of("order"))).containsExactly(new SegmentRow("order", 61, 10));
		}
	}

	/**
	 * Returns how many commands a session has received: statements, and also commands
	 * that do not count as statements, such as those that prepare a statement or check
	 * whether the server answers.
	 */
	private static long commands(Connection connection) throws SQLException {
		try (Statement statement = connection.createStatement();
				ResultSet rows = statement.executeQuery(
						"SHOW SESSION STATUS WHERE Variable_name IN ('Questions', 'Com_admin_commands', 'Com_stmt_prepare')")) {
			long commands = 0;
			while (rows.next()) {
				commands += rows.getLong(2);
			}
			return commands;
		}
	}

	/**
	 * Returns whether the driver notices that a session has stopped committing.
	 */
	protected abstract boolean driverNotices();

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void numbersThatASessionDoesNotCommitAreNotIssued(boolean fromTheStart) {
		createTable("utf8mb4_bin");
		put("order", 1, 10);
		UncommittedSessions sessions = new UncommittedSessions(dataSource());
		JdbcSegmentStore store = new JdbcSegmentStore(sessions, new TableName("leaf_alloc"));
		if (!fromTheStart) {
			store.checkWritable();
		}
		sessions.stopCommitting();
		long issued = 1;
		if (driverNotices()) {
			store.checkWritable();
			issued = Objects.requireNonNull(store.allocate("order", 10, 0, Duration.ofSeconds(1))).to();
		}
		else {
			assertRefused(store::checkWritable);
			assertRefused(() -> store.allocate("order", 10, 0, Duration.ofSeconds(1)));
			assertRefused(() -> store.read("order", Duration.ofSeconds(1)));
			assertRefused(() -> store.create("payment", 10, 1));
			assertRefused(() -> store.giveBack(List.of(new Unissued("order", 0, 1))));
		}
		assertThat(store().findAll()).containsExactly(new SegmentRow("order", issued, 10));
	}

	@ParameterizedTest
	@ValueSource(strings = { "BIGINT", "DECIMAL(20)" })
	void nothingIsIssuedBehindAProxyWhosePrimaryDoesNotCommit(String type) {
		createTable("utf8mb4_bin");
		put("order", 1, 10);
		new JdbcTemplate(dataSource()).execute("ALTER TABLE leaf_alloc MODIFY max_id %s NOT NULL".formatted(type));
		UncommittedSessions sessions = new UncommittedSessions(dataSource());
		JdbcSegmentStore store = new JdbcSegmentStore(sessions.behindAProxy(), new TableName("leaf_alloc"));
		store.checkWritable();
		sessions.stopCommitting();
		long issued = 1;
		try {
			issued = Objects.requireNonNull(store.allocate("order", 10, 0, Duration.ofSeconds(10))).to();
		}
		catch (SegmentStoreException ex) {
			assertThat(driverNotices()).isFalse();
		}
		assertThat(store().findAll()).containsExactly(new SegmentRow("order", issued, 10));
	}

	private static void assertRefused(ThrowingCallable work) {
		assertThatExceptionOfType(SegmentStoreException.class).isThrownBy(work)
			.withMessageContainingAll("autocommit=0", "connection-init-sql");
	}

}
