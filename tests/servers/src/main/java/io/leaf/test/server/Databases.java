// SPDX-License-Identifier: Apache-2.0

package io.leaf.test.server;

import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

/**
 * The database servers for tests. Each server is started on first use and runs until the
 * JVM ends. Each test creates its own database on it:
 *
 * <pre>
 * DatabaseServer server = Databases.mysql();
 * String url = server.createDatabase("orders");
 * try (Connection connection = server.connect(url)) {
 * </pre>
 *
 * A test that kills, stops or pauses a server starts its own server, and closes it.
 */
public final class Databases {

	private static final Shared MYSQL = new Shared(MySqlServers::find);

	private static final Shared MARIADB = new Shared(() -> new MariaDbServer("mariadb", false).launch());

	private static final Shared POSTGRESQL = new Shared(() -> new PostgresServer(false).launch());

	private static final Shared H2 = new Shared(H2Server::new);

	private Databases() {
	}

	/**
	 * Returns a MySQL server: an external server, a server in Docker, or an unpacked
	 * distribution. If there is none, returns a MariaDB server instead, unless the build
	 * requires MySQL.
	 * @return a server that tests access with MySQL's driver
	 */
	public static DatabaseServer mysql() {
		return MYSQL.get();
	}

	public static DatabaseServer mariadb() {
		return MARIADB.get();
	}

	public static DatabaseServer postgresql() {
		return POSTGRESQL.get();
	}

	public static DatabaseServer h2() {
		return H2.get();
	}

	/**
	 * Starts a MySQL server, or a MariaDB server unless the build requires MySQL.
	 * @return a new server, which tests access with MySQL's driver and which the caller
	 * must close
	 */
	public static ControllableServer startMysql() {
		return MySqlServers.startLocal(false);
	}

	public static ControllableServer startMariadb() {
		return new MariaDbServer("mariadb", false).launch();
	}

	public static ControllableServer startPostgresql() {
		return new PostgresServer(false).launch();
	}

	/**
	 * Starts a MySQL server, or a MariaDB server unless the build requires MySQL, that
	 * writes each commit to disk, as with the default settings. For measurements.
	 * @return a new server, which tests access with MySQL's driver and which the caller
	 * must close
	 */
	public static ControllableServer startDurableMysql() {
		return MySqlServers.startLocal(true);
	}

	/**
	 * Starts a PostgreSQL server that writes each commit to disk, as with the default
	 * settings. For measurements.
	 * @return a new server, which the caller must close
	 */
	public static ControllableServer startDurablePostgresql() {
		return new PostgresServer(true).launch();
	}

	/**
	 * A server that is started once. If it does not start, every test fails immediately,
	 * with the same message.
	 */
	private static final class Shared {

		private final Supplier<DatabaseServer> start;

		private @Nullable DatabaseServer server;

		private @Nullable RuntimeException failure;

		Shared(Supplier<DatabaseServer> start) {
			this.start = start;
		}

		synchronized DatabaseServer get() {
			if (this.failure != null) {
				throw new IllegalStateException(this.failure.getMessage(), this.failure);
			}
			if (this.server == null) {
				try {
					this.server = this.start.get();
				}
				catch (RuntimeException ex) {
					this.failure = ex;
					throw ex;
				}
			}
			return this.server;
		}

	}

	/**
	 * An in-memory H2 in its regular mode. Its databases exist until the JVM ends.
	 */
	private static final class H2Server extends JdbcServer {

		@Override
		public String jdbcUrl() {
			return url("leaf");
		}

		@Override
		public String username() {
			return "sa";
		}

		@Override
		public String password() {
			return "";
		}

		@Override
		public String createDatabase(String name) {
			return url(unique(name));
		}

		private static String url(String database) {
			return "jdbc:h2:mem:" + database + ";DB_CLOSE_DELAY=-1";
		}

	}

}
