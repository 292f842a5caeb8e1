// SPDX-License-Identifier: Apache-2.0

package io.leaf.test.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * A proxy process between applications and the members of a cluster. It has its own port.
 */
abstract class LocalProxy implements AutoCloseable {

	private final Path program;

	private final Path directory;

	private final int port = ServerFiles.freePort();

	private final Runnable atExit = this::close;

	private @Nullable ServerProcess process;

	/**
	 * Creates a proxy without starting it.
	 * @param program the proxy's program
	 * @throws IllegalStateException if the program is not installed
	 */
	LocalProxy(Path program) {
		if (!Files.exists(program)) {
			throw new IllegalStateException(program + " is not installed:\n    " + Topology.INSTALL);
		}
		this.program = program;
		this.directory = ServerFiles.createDirectory(program.getFileName().toString());
	}

	/**
	 * Returns the directory of the proxy's files.
	 */
	final Path directory() {
		return this.directory;
	}

	/**
	 * Writes a file to the proxy's directory.
	 * @return the path of the file
	 */
	final String write(String name, String content) {
		try {
			return Files.writeString(this.directory.resolve(name), content).toString();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Starts the program and waits until it accepts connections.
	 * @param prefix a command that runs the program, or empty
	 * @param arguments the arguments of the program
	 */
	final void start(List<String> prefix, String... arguments) {
		List<String> command = new ArrayList<>(prefix);
		command.add(this.program.toString());
		command.addAll(List.of(arguments));
		ServerProcess process = ServerProcess.start(this.directory, Map.of(), command);
		this.process = process;
		ExitActions.add(this.atExit);
		while (true) {
			try {
				new Socket(InetAddress.getLoopbackAddress(), this.port).close();
				return;
			}
			catch (IOException ex) {
				if (process.awaitExit(25)) {
					throw new IllegalStateException(this.program + " does not start:\n" + process.output(), ex);
				}
			}
		}
	}

	/**
	 * Returns the port to which applications connect.
	 */
	final int port() {
		return this.port;
	}

	@Override
	public void close() {
		ExitActions.remove(this.atExit);
		if (this.process != null) {
			this.process.kill();
		}
		ServerFiles.deleteTree(this.directory);
	}

}
