// SPDX-License-Identifier: Apache-2.0

package io.leaf.test.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URISyntaxException;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/**
 * The files and ports of the servers that a build starts.
 */
final class ServerFiles {

	private static final AtomicInteger DIRECTORIES = new AtomicInteger();

	private ServerFiles() {
	}

	/**
	 * Returns the build directory of this module, which the JVMs of several modules
	 * share.
	 * @return the directory that {@code mvn clean} deletes
	 */
	static Path target() {
		try {
			Path classes = Path.of(ServerFiles.class.getProtectionDomain().getCodeSource().getLocation().toURI());
			return Objects.requireNonNull(classes.getParent());
		}
		catch (URISyntaxException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/**
	 * Creates a directory for a server of this JVM, and removes what earlier JVMs have
	 * left behind: their logs and, if they were killed, running servers.
	 * @param name the server's name
	 * @return a new directory
	 */
	static Path createDirectory(String name) {
		Path servers = target().resolve("servers");
		exclusively(() -> {
			Files.createDirectories(servers);
			try (Stream<Path> directories = Files.list(servers)) {
				directories.forEach(ServerFiles::clearIfAbandoned);
			}
		});
		Path directory = servers
			.resolve(name + "-" + ProcessHandle.current().pid() + "-" + DIRECTORIES.incrementAndGet());
		deleteTree(directory);
		try {
			return Files.createDirectories(directory);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Changes files that the JVMs of several modules share, such as an unpacked server.
	 * Waits while another thread or JVM does so.
	 * @param change the change; must not call this method
	 */
	static synchronized void exclusively(Change change) {
		try (FileChannel channel = FileChannel.open(target().resolve("servers.lock"), StandardOpenOption.CREATE,
				StandardOpenOption.WRITE)) {
			channel.lock();
			change.make();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static void clearIfAbandoned(Path directory) {
		long owner = Long.parseLong(directory.getFileName().toString().split("-")[1]);
		if (owner == ProcessHandle.current().pid() || ProcessHandle.of(owner).isPresent()) {
			return;
		}
		ServerProcess.killAbandoned(directory);
		deleteTree(directory);
	}

	static void copyTree(Path from, Path to) {
		try (Stream<Path> files = Files.walk(from)) {
			for (Path file : files.toList()) {
				Files.copy(file, to.resolve(from.relativize(file).toString()), StandardCopyOption.COPY_ATTRIBUTES);
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	static void deleteTree(Path directory) {
		if (!Files.exists(directory)) {
			return;
		}
		try (Stream<Path> files = Files.walk(directory)) {
			List<Path> deepestFirst = files.sorted(Comparator.reverseOrder()).toList();
			for (Path file : deepestFirst) {
				Files.deleteIfExists(file);
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Finds a free port below the range that the system uses for outgoing connections.
	 * Otherwise, such a connection could take the port of a server that is temporarily
	 * down.
	 * @return a port of the loopback address
	 */
	static int freePort() {
		for (int attempt = 0; attempt < 1000; attempt++) {
			int port = ThreadLocalRandom.current().nextInt(15_000, 32_000);
			try (ServerSocket socket = new ServerSocket()) {
				socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
				return port;
			}
			catch (IOException ex) {
				// the port is in use, so try another one
			}
		}
		throw new IllegalStateException("No free port");
	}

	/**
	 * Returns whether this process runs as root, determined from the owner of a new file.
	 * @return {@code true} if servers need an option or a prefix because of root
	 */
	static boolean isRoot() {
		if (!FileSystems.getDefault().supportedFileAttributeViews().contains("unix")) {
			return false;
		}
		try {
			Path file = Files.createTempFile("leaf", "uid");
			try {
				return Integer.valueOf(0).equals(Files.getAttribute(file, "unix:uid"));
			}
			finally {
				Files.delete(file);
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * A change of files.
	 */
	interface Change {

		void make() throws IOException;

	}

}
