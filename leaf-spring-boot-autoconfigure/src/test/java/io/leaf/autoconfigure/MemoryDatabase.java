// SPDX-License-Identifier: Apache-2.0

package io.leaf.autoconfigure;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.UUID;

import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.datasource.init.ScriptUtils;

/**
 * An in-memory H2 database for one test.
 */
public final class MemoryDatabase implements AutoCloseable {

	public static final String USERNAME = "sa";

	private final String url = "jdbc:h2:mem:" + UUID.randomUUID();

	private final Connection connection;

	public MemoryDatabase() {
		try {
			this.connection = DriverManager.getConnection(this.url, USERNAME, "");
		}
		catch (SQLException ex) {
			throw new IllegalStateException(ex);
		}
	}

	public String url() {
		return this.url;
	}

	public String property() {
		return "spring.datasource.url=" + this.url;
	}

	public MemoryDatabase withTable() {
		ScriptUtils.executeSqlScript(this.connection, new ClassPathResource("io/leaf/segment/jdbc/schema-h2.sql"));
		return this;
	}

	public MemoryDatabase withRow(String key, long maxId, int step) {
		withTable();
		return execute(
				"INSERT INTO leaf_alloc (biz_tag, max_id, step) VALUES ('%s', %d, %d)".formatted(key, maxId, step));
	}

	public MemoryDatabase execute(String sql) {
		try (Statement statement = this.connection.createStatement()) {
			statement.execute(sql);
			return this;
		}
		catch (SQLException ex) {
			throw new IllegalStateException(ex);
		}
	}

	public long number(String sql) {
		try (Statement statement = this.connection.createStatement(); ResultSet result = statement.executeQuery(sql)) {
			result.next();
			return result.getLong(1);
		}
		catch (SQLException ex) {
			throw new IllegalStateException(ex);
		}
	}

	public long maxId(String key) {
		return number("SELECT max_id FROM leaf_alloc WHERE biz_tag = '%s'".formatted(key));
	}

	public boolean hasTable(String name) {
		return number(
				"SELECT COUNT(*) FROM INFORMATION_SCHEMA.TABLES WHERE LOWER(TABLE_NAME) = '%s'".formatted(name)) > 0;
	}

	/**
	 * Returns the number of connections to the database, except that of this object.
	 */
	public long otherSessions() {
		return number("SELECT COUNT(*) FROM INFORMATION_SCHEMA.SESSIONS") - 1;
	}

	@Override
	public void close() {
		try {
			this.connection.close();
		}
		catch (SQLException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
