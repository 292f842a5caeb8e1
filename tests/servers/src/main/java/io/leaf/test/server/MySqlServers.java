// SPDX-License-Identifier: Apache-2.0

package io.leaf.test.server;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.mysql.MySQLContainer;

/**
 * Finds the best available MySQL server: the one that a system property specifies,
 * otherwise one in Docker, otherwise an unpacked distribution, otherwise MariaDB in place
 * of MySQL. If none of them runs, the tests are not skipped: they fail, and the message
 * says what to install.
 */
final class MySqlServers {

	private static final Logger logger = LoggerFactory.getLogger(MySqlServers.class);

	private static final String URL = "leaf.test.mysql.url";

	private static final String HOME = "leaf.test.mysql.home";

	private static final String HELP = """
			To run the tests on MySQL, do one of these:
			  - build with -Pmysql, which downloads a MySQL server (550 MB)
			  - start Docker
			  - specify a server with -D%1$s=jdbc:mysql://host:3306/ and a user that may
			    create databases with -D%1$s.username=… -D%1$s.password=…
			""".formatted(URL) + MySqlServer.INSTALL;

	private MySqlServers() {
	}

	/**
	 * Returns the server for tests that neither stop nor damage it.
	 * @return a running server
	 */
	static DatabaseServer find() {
		String url = property(URL);
		DatabaseServer server = null;
		if (url != null) {
			server = new RemoteServer(url, property(URL + ".username", "root"), property(URL + ".password", ""));
		}
		if (server == null) {
			server = startContainer();
		}
		if (server == null) {
			server = startLocal(false);
		}
		if (TestScope.isFull()) {
			requireMySql(server);
		}
		logger.info("The tests run on {}", server);
		return server;
	}

	/**
	 * Starts a new server for a test that damages or stops it. This is never a server
	 * that is already running, or one in Docker.
	 * @param durable whether each commit is written to disk
	 * @return a new server
	 */
	static LocalServer startLocal(boolean durable) {
		Path home = home();
		if (home != null) {
			return new MySqlServer(home, durable).launch();
		}
		if (TestScope.isFull()) {
			throw new IllegalStateException(
					"-Dleaf.test.full is set, but there is no MySQL server that a test can start.\n" + HELP);
		}
		try {
			LocalServer server = new MariaDbServer("mysql", durable).launch();
			logger.warn("Using {} in place of MySQL", server);
			return server;
		}
		catch (RuntimeException ex) {
			throw new IllegalStateException("Neither MySQL nor MariaDB in its place can be started.\n" + HELP, ex);
		}
	}

	/**
	 * Returns the home directory of the MySQL distribution that the build provides.
	 * @return the directory, or {@code null} if there is none
	 */
	static @Nullable Path home() {
		String home = property(HOME);
		if (home == null) {
			return null;
		}
		Path path = Path.of(home).toAbsolutePath();
		if (!Files.isDirectory(path)) {
			throw new IllegalStateException(HOME + " is not a directory: " + path + "\n" + HELP);
		}
		return path;
	}

	private static @Nullable DatabaseServer startContainer() {
		if (!DockerClientFactory.instance().isDockerAvailable()) {
			return null;
		}
		MySQLContainer container = new MySQLContainer("mysql:8.4");
		try {
			container.start();
		}
		catch (RuntimeException ex) {
			// for example, because the image cannot be downloaded; no test covers this
			logger.warn("Docker is available, but MySQL does not start in it", ex);
			return null;
		}
		// the user that Testcontainers creates has access to one database; root has the
		// same password
		String url = JdbcUrls.with(JdbcUrls.withDatabase(container.getJdbcUrl(), ""), "allowPublicKeyRetrieval",
				"true");
		return new RemoteServer(url, "root", container.getPassword());
	}

	static void requireMySql(DatabaseServer server) {
		if (!server.product().startsWith("MySQL ")) {
			throw new IllegalStateException("-Dleaf.test.full is set, but this is not MySQL: " + server + "\n" + HELP);
		}
	}

	private static @Nullable String property(String name) {
		String value = System.getProperty(name);
		return (value == null || value.isBlank()) ? null : value;
	}

	private static String property(String name, String otherwise) {
		String value = property(name);
		return (value != null) ? value : otherwise;
	}

	/**
	 * A server that runs elsewhere. The databases created on it are dropped when the JVM
	 * ends.
	 */
	private static final class RemoteServer extends JdbcServer {

		private final String url;

		private final String username;

		private final String password;

		private final List<String> databases = new CopyOnWriteArrayList<>();

		RemoteServer(String url, String username, String password) {
			this.url = url;
			this.username = username;
			this.password = password;
			ExitActions.add(this::dropDatabases);
		}

		@Override
		public String jdbcUrl() {
			return this.url;
		}

		@Override
		public String username() {
			return this.username;
		}

		@Override
		public String password() {
			return this.password;
		}

		@Override
		public String createDatabase(String name) {
			String database = unique(name);
			execute("CREATE DATABASE " + database);
			this.databases.add(database);
			return JdbcUrls.withDatabase(this.url, database);
		}

		private void dropDatabases() {
			this.databases.forEach((database) -> execute("DROP DATABASE IF EXISTS " + database));
		}

	}

}
