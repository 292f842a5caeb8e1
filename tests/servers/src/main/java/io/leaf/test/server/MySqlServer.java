// SPDX-License-Identifier: Apache-2.0

package io.leaf.test.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A MySQL server from an unpacked distribution.
 */
final class MySqlServer extends LocalServer {

	private static final Logger logger = LoggerFactory.getLogger(MySqlServer.class);

	static final String INSTALL = """
			MySQL's server needs libaio and libnuma. On Debian and Ubuntu:
			    apt-get update && apt-get install -y --no-install-recommends libaio1 libnuma1
			(if there is no package libaio1, install libaio1t64)""";

	private static final List<String> USER = List.of(
			// each member of a cluster creates the user itself
			"SET SQL_LOG_BIN = 0;",
			// MySQL's default authentication would need TLS or a key pair, whose
			// generation takes time
			"CREATE USER IF NOT EXISTS 'leaf'@'%' IDENTIFIED WITH mysql_native_password BY 'leaf';",
			"GRANT ALL ON *.* TO 'leaf'@'%' WITH GRANT OPTION;");

	/**
	 * The initial data directory per home. Copying it takes a tenth of a second, creating
	 * it takes three seconds.
	 */
	private static final Map<Path, Path> templates = new HashMap<>();

	private final Path home;

	private final boolean durable;

	private final List<String> options;

	private boolean member;

	/**
	 * Creates a server.
	 * @param home the unpacked distribution
	 * @param durable whether each commit is written to disk
	 * @param options options that override the options set by this class
	 */
	MySqlServer(Path home, boolean durable, String... options) {
		super("mysql");
		this.home = home;
		this.durable = durable;
		this.options = List.of(options);
	}

	@Override
	public String jdbcUrl() {
		return "jdbc:mysql://127.0.0.1:" + port() + "/";
	}

	@Override
	void initialise() {
		try {
			Files.write(directory().resolve("init.sql"), USER);
			ServerFiles.copyTree(template(this.home), data());
			// auto.cnf has the identity of a server, so each copy must get its own
			Files.deleteIfExists(data().resolve("auto.cnf"));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Starts the server for the first time. When it is started again, it is read-only
	 * until the cluster changes that, because a write to a member that has not joined yet
	 * would make it differ from the other members.
	 */
	MySqlServer launchMember() {
		launch();
		this.member = true;
		return this;
	}

	/**
	 * Replaces all data with a copy of the data of another server, and starts this server
	 * again.
	 * @param donor the other server
	 */
	void cloneFrom(LocalServer donor) {
		// writes in the meantime are harmless, because the clone replaces them
		execute("SET GLOBAL super_read_only = OFF");
		execute("SET GLOBAL clone_valid_donor_list = '127.0.0.1:%d'".formatted(donor.port()));
		try {
			execute("CLONE INSTANCE FROM 'leaf'@'127.0.0.1':%d IDENTIFIED BY 'leaf'".formatted(donor.port()));
		}
		catch (IllegalStateException ex) {
			// the server exits; a service manager would start it again
			logger.debug("The server exits after the clone", ex);
		}
		awaitEnd();
		start();
	}

	private static Path template(Path home) {
		synchronized (templates) {
			return templates.computeIfAbsent(home, MySqlServer::createTemplate);
		}
	}

	private static Path createTemplate(Path home) {
		if (ServerProcess.isLinux()) {
			ServerFiles.exclusively(() -> linkRenamedLibrary(home.resolve("lib/private"), Path.of("/usr/lib")));
		}
		Path directory = ServerFiles.createDirectory("template");
		Path data = directory.resolve("data");
		ExitActions.add(() -> ServerFiles.deleteTree(data));
		try {
			// this process is not killed, so it needs no doublewrite buffer
			ServerProcess.run(directory, Map.of(),
					command(home, data, "--initialize-insecure", "--innodb-doublewrite=OFF"));
			return data;
		}
		catch (RuntimeException ex) {
			throw new IllegalStateException(ex.getMessage() + "\n\n" + INSTALL, ex);
		}
	}

	/**
	 * Links libaio under its old name into the server's private directory, if the system
	 * has it only under its new name. Newer versions of Debian and Ubuntu have renamed
	 * it, because of a change that does not affect 64-bit programs. The server also
	 * searches its private directory.
	 * @param privateLibraries the private directory of the server
	 * @param systemLibraries the directory of the system's libraries
	 */
	static void linkRenamedLibrary(Path privateLibraries, Path systemLibraries) {
		if (!find(systemLibraries, "libaio.so.1").isEmpty()) {
			return;
		}
		Path link = privateLibraries.resolve("libaio.so.1");
		for (Path renamed : find(systemLibraries, "libaio.so.1t64")) {
			try {
				Files.deleteIfExists(link);
				Files.createSymbolicLink(link, renamed);
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		}
	}

	/** Libraries are in {@code /usr/lib} or in the directory of their architecture. */
	private static List<Path> find(Path libraries, String name) {
		try (Stream<Path> files = Files.find(libraries, 2, (file, attributes) -> file.endsWith(name))) {
			return files.toList();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	@Override
	List<String> command() {
		List<String> command = new ArrayList<>(
				command(this.home, data(), "--port=" + port(), "--bind-address=127.0.0.1", "--socket=mysqld.sock",
						"--mysqlx=OFF", "--pid-file=mysqld.pid", "--skip-name-resolve", "--max-connections=500",
						"--performance-schema=OFF", "--innodb-buffer-pool-size=64M"));
		command.add(this.member ? "--super-read-only=ON" : "--init-file=" + directory().resolve("init.sql"));
		if (this.durable) {
			// MySQL's defaults; if an option is set twice, the last value applies
			command.addAll(List.of("--innodb-flush-method=fsync", "--innodb-doublewrite=ON", "--log-bin",
					"--sync-binlog=1", "--innodb-flush-log-at-trx-commit=1"));
		}
		else {
			// each commit reaches the operating system, if not the disk, and so survives
			// a kill
			command.addAll(List.of("--skip-log-bin", "--innodb-flush-log-at-trx-commit=2"));
		}
		command.addAll(this.options);
		if (ServerFiles.isRoot() && ServerProcess.isLinux()) {
			// its own group ID, by which a firewall can recognize its packets
			command.addAll(0, List.of("setpriv", "--regid=" + port(), "--clear-groups"));
		}
		return command;
	}

	private static List<String> command(Path home, Path data, String... arguments) {
		List<String> command = new ArrayList<>(List.of(home.resolve("bin/mysqld").toString(), "--no-defaults",
				"--basedir=" + home, "--datadir=" + data, "--innodb-redo-log-capacity=8M",
				"--innodb-flush-method=" + (ServerProcess.isWindows() ? "normal" : "nosync"),
				"--innodb-use-native-aio=OFF", "--auto-generate-certs=OFF",
				"--caching-sha2-password-auto-generate-rsa-keys=OFF"));
		if (ServerFiles.isRoot()) {
			// otherwise the server refuses to run as root
			command.add("--user=root");
		}
		command.addAll(List.of(arguments));
		return command;
	}

}
