// SPDX-License-Identifier: Apache-2.0

package io.leaf.it.faults;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import io.leaf.it.faults.Progress.Number;
import io.leaf.test.server.Signals;

/**
 * A slot in which a {@link DrawingApplication} runs: one process and, after a kill, the
 * next one. The counts include all processes of the slot. Thread-safe.
 */
final class DrawingSlot {

	private final String name;

	private final LeaseSource leases;

	private final Path directory;

	private final List<String> properties;

	private final List<String> enter;

	private final Map<String, String> environment;

	private final List<String> prefixes = new ArrayList<>();

	private final List<Progress> ended = new ArrayList<>();

	private int port;

	private Process process;

	private Progress progress;

	/**
	 * Creates a slot without a process.
	 * @param number the number of the slot
	 * @param properties the properties of the application
	 * @param enter the prefix of its command
	 * @param environment the environment variables to add
	 */
	DrawingSlot(int number, LeaseSource leases, Path directory, List<String> properties, List<String> enter,
			Map<String, String> environment) {
		this.name = "p" + number;
		this.port = 9000 + number;
		this.leases = leases;
		this.directory = directory;
		this.properties = properties;
		this.enter = enter;
		this.environment = environment;
	}

	LeaseSource leases() {
		return this.leases;
	}

	/**
	 * Starts a process. The previous one must have ended.
	 */
	synchronized void start() {
		String prefix = this.directory.resolve(this.name + "-" + this.prefixes.size()).toString();
		this.prefixes.add(prefix);
		List<String> command = new ArrayList<>(this.enter);
		command.addAll(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx128m",
				"-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp",
				System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
				DrawingApplication.class.getName(), prefix));
		this.properties.forEach((property) -> command.add("--" + property));
		command.add("--leaf.snowflake.worker.source=" + this.leases.property());
		command.add("--leaf.snowflake.port=" + this.port);
		try {
			if (this.progress != null) {
				this.ended.add(this.progress);
			}
			this.progress = new Progress(DrawingApplication.progressFile(prefix));
			ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true)
				.redirectOutput(Path.of(prefix + ".log").toFile());
			builder.environment().putAll(this.environment);
			this.process = builder.start();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Changes the label of the next process, as if it had moved to another machine.
	 */
	synchronized void move() {
		this.port += 100;
	}

	synchronized void kill() {
		try {
			this.process.destroyForcibly().waitFor();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/**
	 * Restarts the process if it has ended before it drew any ID, for example because a
	 * store was unavailable.
	 * @return whether the process was restarted
	 * @throws AssertionError if the process has ended after it drew IDs
	 */
	synchronized boolean restartIfItDidNotStart() {
		if (this.process.isAlive()) {
			return false;
		}
		if (Stream.of(IdMode.values()).anyMatch((mode) -> this.progress.sum(mode, Number.IDS) > 0)) {
			throw new AssertionError(this.name + " has ended by itself:\n" + log());
		}
		start();
		return true;
	}

	synchronized void pause() {
		Signals.pause(List.of(this.process.toHandle()));
	}

	synchronized void resume() {
		Signals.send("CONT", List.of(this.process.toHandle()));
	}

	/**
	 * Shuts the process down gracefully, and waits for its end.
	 */
	synchronized void stop() {
		try {
			this.process.getOutputStream().close();
			if (!this.process.waitFor(60, TimeUnit.SECONDS)) {
				throw new IllegalStateException(this.name + " does not end:\n" + log());
			}
		}
		catch (IOException | InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	synchronized boolean isAlive() {
		return this.process != null && this.process.isAlive();
	}

	/**
	 * Checks that the process has not ended by itself.
	 */
	synchronized void requireAlive() {
		if (!isAlive()) {
			throw new AssertionError(this.name + " has ended by itself:\n" + log());
		}
	}

	synchronized long count(IdMode mode, Number number) {
		return this.progress.sum(mode, number) + this.ended.stream().mapToLong((each) -> each.sum(mode, number)).sum();
	}

	/**
	 * Returns the last value that the store has confirmed for the current process, or 0.
	 */
	synchronized long confirmed(IdMode mode) {
		return this.progress.max(mode, Number.CONFIRMED);
	}

	synchronized int started() {
		return this.prefixes.size();
	}

	/**
	 * Returns the files with the IDs of all processes.
	 */
	synchronized List<Path> idFiles(IdMode mode) {
		List<Path> files = new ArrayList<>();
		for (String prefix : this.prefixes) {
			for (int thread = 0; thread < DrawingApplication.THREADS; thread++) {
				files.add(DrawingApplication.idFile(prefix, mode, thread));
			}
		}
		files.removeIf(Files::notExists);
		return files;
	}

	/**
	 * Returns the output of the current process.
	 */
	synchronized String log() {
		try {
			return Files.readString(Path.of(this.prefixes.get(this.prefixes.size() - 1) + ".log"),
					StandardCharsets.ISO_8859_1);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	@Override
	public String toString() {
		return this.name;
	}

}
