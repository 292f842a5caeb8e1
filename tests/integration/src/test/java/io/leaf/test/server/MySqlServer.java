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
 * MySQL from an unpacked distribution.
 */
final class MySqlServer extends LocalServer {

	private static final Logger logger = LoggerFactory.getLogger(MySqlServer.class);

	static final String INSTALL = """
			MySQL's server needs libaio and libnuma. On Debian and Ubuntu:
			    apt-get update && apt-get install -y --no-install-recommends libaio1 libnuma1
			(where there is no libaio1, take libaio1t64)""";

	private static final List<String> USER = List.of(
			// the members of a cluster create it each
			"SET SQL_LOG_BIN = 0;",
			// MySQL's default would need TLS or a key pair, which take time to generate
			"CREATE USER IF NOT EXISTS 'leaf'@'%' IDENTIFIED WITH mysql_native_password BY 'leaf';",
			"GRANT ALL ON *.* TO 'leaf'@'%' WITH GRANT OPTION;");

	/**
	 * The initial data per home: to copy it takes a tenth of a second, to create it
	 * three.
	 */
	private static final Map<Path, Path> templates = new HashMap<>();

	private final Path home;

	private final boolean durable;

	private final List<String> options;

	private boolean member;

	/**
	 * Creates a server.
	 * @param home the unpacked distribution
	 * @param durable whether each commit reaches the disk
	 * @param options options that replace the ones set here
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
			// the identity of a server: each copy gets its own
			Files.deleteIfExists(data().resolve("auto.cnf"));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Lets the server take no writes when it is started again, until it is told to: what
	 * is written to a member of a cluster before it has joined separates it from the
	 * others.
	 */
	MySqlServer launchMember() {
		launch();
		this.member = true;
		return this;
	}

	/**
	 * Replaces all data with a copy of another server's, and starts this server again.
	 * @param donor the other server
	 */
	void cloneFrom(LocalServer donor) {
		// what is written meanwhile is replaced
		execute("SET GLOBAL super_read_only = OFF");
		execute("SET GLOBAL clone_valid_donor_list = '127.0.0.1:%d'".formatted(donor.port()));
		try {
			execute("CLONE INSTANCE FROM 'leaf'@'127.0.0.1':%d IDENTIFIED BY 'leaf'".formatted(donor.port()));
		}
		catch (IllegalStateException ex) {
			// it ends, and would be started again by a service manager
			logger.debug("The server ends after it was cloned", ex);
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
			linkRenamedLibrary(home.resolve("lib/private"), Path.of("/usr/lib"));
		}
		Path directory = ServerFiles.createDirectory("template");
		Path data = directory.resolve("data");
		ExitActions.add(() -> ServerFiles.deleteTree(data));
		try {
			// this process is not killed, so it need not write its pages twice
			ServerProcess.run(directory, Map.of(),
					command(home, data, "--initialize-insecure", "--innodb-doublewrite=OFF"));
			return data;
		}
		catch (RuntimeException ex) {
			throw new IllegalStateException(ex.getMessage() + "\n\n" + INSTALL, ex);
		}
	}

	/**
	 * Newer Debian and Ubuntu have libaio under another name, because of a change that
	 * does not concern a 64-bit program. The server looks beside itself, too.
	 * @param privateLibraries where the server looks
	 * @param systemLibraries where the system's libraries are
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

	/** Libraries lie in {@code /usr/lib} or in the directory of their architecture. */
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
			// MySQL's defaults; the last of two values is what the server takes
			command.addAll(List.of("--innodb-flush-method=fsync", "--innodb-doublewrite=ON", "--log-bin",
					"--sync-binlog=1", "--innodb-flush-log-at-trx-commit=1"));
		}
		else {
			// each commit reaches the system, if not the disk: it survives a kill
			command.addAll(List.of("--skip-log-bin", "--innodb-flush-log-at-trx-commit=2"));
		}
		command.addAll(this.options);
		if (ServerFiles.isRoot() && ServerProcess.isLinux()) {
			// a group of its own, by which a firewall can recognize what it sends
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
			// otherwise it refuses to run
			command.add("--user=root");
		}
		command.addAll(List.of(arguments));
		return command;
	}

}
