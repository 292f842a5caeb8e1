// SPDX-License-Identifier: Apache-2.0

package io.leaf.test.server;

import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

/**
 * The databases to test on. Each server is started when it is first asked for and ends
 * with the JVM; a test takes a database of its own from it:
 *
 * <pre>
 * DatabaseServer server = Databases.mysql();
 * String url = server.createDatabase("orders");
 * try (Connection connection = server.connect(url)) {
 * </pre>
 *
 * A test that kills, stops or pauses a server starts one of its own, and closes it.
 */
public final class Databases {

	private static final Shared MYSQL = new Shared(MySqlServers::find);

	private static final Shared MARIADB = new Shared(() -> new MariaDbServer("mariadb", false).launch());

	private static final Shared POSTGRESQL = new Shared(() -> new PostgresServer(false).launch());

	private static final Shared H2 = new Shared(H2Server::new);

	private Databases() {
	}

	/**
	 * Returns MySQL, or what stands in for it: an external server, one in Docker, an
	 * unpacked one, or MariaDB unless the build requires MySQL.
	 * @return a server reached by MySQL's driver
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
	 * @return a server of the caller's own, to be closed, reached by MySQL's driver
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
	 * Starts a MySQL server, or a MariaDB server unless the build requires MySQL, each
	 * commit of which reaches the disk, as by its defaults: for measurements.
	 * @return a server of the caller's own, to be closed, reached by MySQL's driver
	 */
	public static ControllableServer startDurableMysql() {
		return MySqlServers.startLocal(true);
	}

	/**
	 * Starts a PostgreSQL server, each commit of which reaches the disk, as by its
	 * defaults: for measurements.
	 * @return a server of the caller's own, to be closed
	 */
	public static ControllableServer startDurablePostgresql() {
		return new PostgresServer(true).launch();
	}

	/**
	 * A server started once. One that does not start fails every test at once, and with
	 * the same message.
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
	 * H2 in memory, in its own mode. Its databases live as long as the JVM.
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
