// SPDX-License-Identifier: Apache-2.0

package io.leaf.test.server;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.zonky.test.db.postgres.embedded.DefaultPostgresBinaryResolver;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.apache.commons.compress.compressors.xz.XZCompressorInputStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * PostgreSQL, from the archives of Zonky's embedded PostgreSQL or from an installation.
 * Zonky's library does not run the server, because it can neither kill, pause nor restart
 * it.
 */
final class PostgresServer extends LocalServer {

	private static final Logger logger = LoggerFactory.getLogger(PostgresServer.class);

	private final @Nullable Path installed;

	private final Path home;

	private final boolean durable;

	private final List<String> options;

	private List<String> prefix = List.of();

	private @Nullable PostgresServer primary;

	PostgresServer(boolean durable) {
		super("postgresql");
		this.installed = null;
		this.home = ServerFiles.target().resolve("postgresql");
		this.durable = durable;
		this.options = List.of();
	}

	/**
	 * Creates a member of a cluster, which needs programs that the archives lack.
	 * @param installed the directory of a PostgreSQL installation with all programs
	 * @param options settings, such as {@code synchronous_commit=on}
	 */
	PostgresServer(Path installed, String... options) {
		super("postgresql");
		this.installed = installed;
		this.home = installed;
		this.durable = true;
		this.options = List.of(options);
	}

	/**
	 * Starts this server for the first time, as a standby.
	 * @param primary the running primary
	 */
	void launchStandby(PostgresServer primary) {
		this.primary = primary;
		launch();
	}

	/**
	 * Makes this server a standby, whose data is a copy of the data of the primary. The
	 * server must not be running.
	 * @param primary the running primary
	 */
	void follow(PostgresServer primary) {
		this.primary = primary;
		ServerFiles.deleteTree(data());
		initialise();
	}

	@Override
	public String jdbcUrl() {
		return "jdbc:postgresql://127.0.0.1:" + port() + "/postgres";
	}

	@Override
	void initialise() {
		if (this.installed == null) {
			ServerFiles.exclusively(() -> unpack(this.home));
		}
		this.prefix = Unprivileged.prefix(directory(), data());
		if (this.primary != null) {
			ServerProcess.run(directory(), Map.of(),
					command("pg_basebackup", "--pgdata=" + data(), "--write-recovery-conf", "--checkpoint=fast",
							"--dbname=host=127.0.0.1 port=%d user=%s application_name=%s".formatted(this.primary.port(),
									username(), name())));
		}
		else {
			ServerProcess.run(directory(), Map.of(), command("initdb", "--pgdata=" + data(), "--username=" + username(),
					"--auth=trust", "--encoding=UTF-8", "--no-sync"));
		}
	}

	@Override
	List<String> command() {
		// even without fsync, commits reach the operating system, and so survive a kill
		List<String> command = command("postgres", "-D", data().toString(), "-p", Integer.toString(port()), "-h",
				"127.0.0.1", "-c", "fsync=" + (this.durable ? "on" : "off"), "-c", "unix_socket_directories=", "-c",
				"max_connections=500", "-c", "log_min_messages=warning");
		this.options.forEach((option) -> command.addAll(List.of("-c", option)));
		return command;
	}

	/**
	 * Fills the disk, and uses up the WAL files, which the server allocates in advance.
	 */
	@Override
	public void fillDisk() {
		super.fillDisk();
		try {
			while (true) {
				execute("SELECT pg_switch_wal()");
			}
		}
		catch (IllegalStateException ex) {
			logger.debug("The server cannot create a WAL file", ex);
		}
	}

	/** Returns the name by which a primary knows this server. */
	private String name() {
		return directory().getFileName().toString().replace('-', '_');
	}

	@Override
	String stopSignal() {
		// TERM would wait until the clients disconnect
		return "INT";
	}

	private List<String> command(String program, String... arguments) {
		List<String> command = new ArrayList<>(this.prefix);
		command.add(this.home.resolve("bin").resolve(program).toString());
		command.addAll(List.of(arguments));
		return command;
	}

	private static void unpack(Path home) throws IOException {
		Path done = home.resolve("unpacked");
		if (Files.exists(done)) {
			return;
		}
		ServerFiles.deleteTree(home);
		String system = System.getProperty("os.name");
		system = system.startsWith("Mac") ? "Darwin" : ServerProcess.isWindows() ? "Windows" : system;
		try (InputStream archive = DefaultPostgresBinaryResolver.INSTANCE.getPgBinary(system,
				System.getProperty("os.arch"));
				TarArchiveInputStream entries = new TarArchiveInputStream(new XZCompressorInputStream(archive))) {
			for (TarArchiveEntry entry = entries.getNextEntry(); entry != null; entry = entries.getNextEntry()) {
				unpack(entries, entry, home.resolve(entry.getName()).normalize());
			}
			Files.createFile(done);
		}
	}

	private static void unpack(InputStream content, TarArchiveEntry entry, Path file) throws IOException {
		if (entry.isDirectory()) {
			Files.createDirectories(file);
			return;
		}
		Files.createDirectories(file.getParent());
		if (entry.isSymbolicLink()) {
			Files.createSymbolicLink(file, Path.of(entry.getLinkName()));
			return;
		}
		Files.copy(content, file);
		if ((entry.getMode() & 0100) != 0 && !file.toFile().setExecutable(true, false)) {
			throw new IOException("Cannot make executable: " + file);
		}
	}

}
