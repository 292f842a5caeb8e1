// SPDX-License-Identifier: Apache-2.0

package io.leaf.test.server;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import io.zonky.test.db.postgres.embedded.DefaultPostgresBinaryResolver;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.apache.commons.compress.compressors.xz.XZCompressorInputStream;

/**
 * PostgreSQL from the archives of Zonky's embedded PostgreSQL. It is not that library
 * which runs it, as it can neither kill nor pause, nor start again.
 */
final class PostgresServer extends LocalServer {

	private static final int NO_OWNER = 65534;

	private final Path home = ServerFiles.target().resolve("postgresql");

	private final boolean durable;

	private List<String> disguise = List.of();

	PostgresServer(boolean durable) {
		super("postgresql");
		this.durable = durable;
	}

	@Override
	public String jdbcUrl() {
		return "jdbc:postgresql://127.0.0.1:" + port() + "/postgres";
	}

	@Override
	void initialise() {
		unpack(this.home);
		this.disguise = disguise();
		ServerProcess.run(directory(), Map.of(), command("initdb", "--pgdata=" + data(), "--username=" + username(),
				"--auth=trust", "--encoding=UTF-8", "--no-sync"));
	}

	@Override
	List<String> command() {
		// if not the disk, commits reach the system: they survive a kill
		return command("postgres", "-D", data().toString(), "-p", Integer.toString(port()), "-h", "127.0.0.1", "-c",
				"fsync=" + (this.durable ? "on" : "off"), "-c", "unix_socket_directories=", "-c", "max_connections=500",
				"-c", "log_min_messages=warning");
	}

	@Override
	String stopSignal() {
		// TERM would wait for the clients to leave
		return "INT";
	}

	private List<String> command(String program, String... arguments) {
		List<String> command = new ArrayList<>(this.disguise);
		command.add(this.home.resolve("bin").resolve(program).toString());
		command.addAll(List.of(arguments));
		return command;
	}

	/**
	 * PostgreSQL refuses to run as root. In a user namespace of its own it takes itself
	 * for somebody else, yet has root's files. Where these are forbidden, as they are in
	 * most containers, it has to be somebody else, and to own its data.
	 */
	private List<String> disguise() {
		if (!ServerFiles.isRoot()) {
			return List.of();
		}
		List<String> namespace = List.of("unshare", "--user");
		try {
			ServerProcess.run(directory(), Map.of(), Stream.concat(namespace.stream(), Stream.of("true")).toList());
			return namespace;
		}
		catch (IllegalStateException | UncheckedIOException ex) {
			return asNobody();
		}
	}

	private List<String> asNobody() {
		try {
			Files.createDirectory(data(),
					PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
			Files.setAttribute(data(), "unix:uid", NO_OWNER);
			Files.setAttribute(data(), "unix:gid", NO_OWNER);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		return List.of("setpriv", "--reuid=" + NO_OWNER, "--regid=" + NO_OWNER, "--clear-groups");
	}

	private static synchronized void unpack(Path home) {
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
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
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
