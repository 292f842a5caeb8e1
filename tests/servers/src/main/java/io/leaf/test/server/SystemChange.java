// SPDX-License-Identifier: Apache-2.0

package io.leaf.test.server;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A change to the system, such as a mounted disk. A shell makes the change, and undoes it
 * when this object is closed or this JVM ends, even if the JVM is killed.
 */
final class SystemChange implements AutoCloseable {

	private final Process shell;

	private SystemChange(Process shell) {
		this.shell = shell;
	}

	/**
	 * Makes a change.
	 * @param prefix a command that runs the shell, or empty
	 * @param begin the shell command that makes the change
	 * @param end the shell command that undoes it
	 * @param arguments the positional parameters of both, from {@code $1} on
	 * @throws IOException if the change cannot be made
	 */
	static SystemChange make(List<String> prefix, String begin, String end, String... arguments) throws IOException {
		List<String> command = new ArrayList<>(prefix);
		// the end of this JVM ends the input of the shell; the shell ignores the signals
		// that end the JVM, because these may also reach the shell
		command.addAll(
				List.of("sh", "-c", "trap '' HUP INT TERM; %s && { echo done; cat; %s; }".formatted(begin, end), "sh"));
		command.addAll(List.of(arguments));
		Process shell = new ProcessBuilder(command).redirectErrorStream(true).start();
		BufferedReader output = shell.inputReader();
		String answer = output.readLine();
		if (!"done".equals(answer)) {
			throw new IOException(
					"Failed: %s: %s %s".formatted(begin, answer, output.lines().collect(Collectors.joining(" "))));
		}
		return new SystemChange(shell);
	}

	/**
	 * Returns the process ID of the shell, which is in the namespaces of the change.
	 */
	long pid() {
		return this.shell.pid();
	}

	@Override
	public void close() {
		try {
			this.shell.getOutputStream().close();
			this.shell.waitFor();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException("Interrupted", ex);
		}
	}

}
