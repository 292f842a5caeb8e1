// SPDX-License-Identifier: Apache-2.0

package io.leaf.test.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A server process and its child processes. The output is written to a file.
 */
final class ServerProcess {

	private static final String PID_FILE = "server.pid";

	private final Process process;

	private final Path output;

	private ServerProcess(Process process, Path output) {
		this.process = process;
		this.output = output;
	}

	/**
	 * Starts a process.
	 * @param directory the server's directory, for the output and the process id
	 * @param environment variables to add
	 * @param command the program and its arguments
	 * @return the running process
	 */
	static ServerProcess start(Path directory, Map<String, String> environment, List<String> command) {
		Path output = directory.resolve("server.log");
		ProcessBuilder builder = new ProcessBuilder(command).directory(directory.toFile())
			.redirectErrorStream(true)
			.redirectOutput(ProcessBuilder.Redirect.appendTo(output.toFile()));
		builder.environment().putAll(environment);
		try {
			Process process = builder.start();
			Files.writeString(directory.resolve(PID_FILE), Long.toString(process.pid()));
			return new ServerProcess(process, output);
		}
		catch (IOException ex) {
			throw new UncheckedIOException("Cannot run " + command.get(0), ex);
		}
	}

	/**
	 * Runs a program, and waits until it has ended.
	 * @param directory the server's directory
	 * @param environment variables to add
	 * @param command the program and its arguments
	 */
	static void run(Path directory, Map<String, String> environment, List<String> command) {
		ServerProcess program = start(directory, environment, command);
		if (!program.awaitExit(120_000)) {
			program.kill();
			throw new IllegalStateException("Still running after two minutes: " + program.describe(command));
		}
		if (program.process.exitValue() != 0) {
			throw new IllegalStateException("Failed: " + program.describe(command));
		}
	}

	private String describe(List<String> command) {
		return String.join(" ", command) + "\n" + output();
	}

	boolean isAlive() {
		return this.process.isAlive();
	}

	/**
	 * Waits until the process has ended.
	 * @param millis the time limit in milliseconds
	 * @return whether it has ended
	 */
	boolean awaitExit(long millis) {
		try {
			return this.process.waitFor(millis, TimeUnit.MILLISECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException("Interrupted", ex);
		}
	}

	/**
	 * Shuts the server down gracefully.
	 * @param signal the signal that makes the server shut down
	 */
	void end(String signal) {
		// a paused server would not handle the signal
		resume();
		// only to the server itself, which stops its child processes
		Signals.send(signal, List.of(this.process.toHandle()));
	}

	void pause() {
		Signals.pause(tree(this.process.toHandle()));
	}

	void resume() {
		Signals.send("CONT", tree(this.process.toHandle()));
	}

	void kill() {
		kill(this.process.toHandle());
		awaitExit(30_000);
	}

	private static void kill(ProcessHandle process) {
		if (!isWindows()) {
			// a stopped process does not start child processes while they are listed
			Signals.send("STOP", List.of(process));
		}
		List<ProcessHandle> tree = tree(process);
		tree.forEach(ProcessHandle::destroyForcibly);
		tree.forEach((each) -> each.onExit().orTimeout(30, TimeUnit.SECONDS).join());
	}

	/**
	 * Kills a server that is still running because its JVM was killed.
	 * @param directory the server's directory
	 */
	static void killAbandoned(Path directory) {
		Path file = directory.resolve(PID_FILE);
		try {
			if (Files.exists(file)) {
				ProcessHandle.of(Long.parseLong(Files.readString(file)))
					// the process ID may belong to another process by now
					.filter((process) -> process.info().commandLine().orElse("").contains(directory.toString()))
					.ifPresent(ServerProcess::kill);
				Files.delete(file);
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static List<ProcessHandle> tree(ProcessHandle process) {
		return Stream.concat(Stream.of(process), process.descendants()).toList();
	}

	/**
	 * Returns the last lines of the output.
	 * @return up to 40 lines
	 */
	String output() {
		try {
			// not strict UTF-8, because servers print paths and messages in any encoding
			String text = new String(Files.readAllBytes(this.output), StandardCharsets.ISO_8859_1);
			List<String> lines = text.lines().toList();
			return String.join("\n", lines.subList(Math.max(0, lines.size() - 40), lines.size()));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	static boolean isWindows() {
		return System.getProperty("os.name").startsWith("Windows");
	}

	static boolean isLinux() {
		return System.getProperty("os.name").equals("Linux");
	}

}
