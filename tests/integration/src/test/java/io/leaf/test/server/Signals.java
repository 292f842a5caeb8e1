// SPDX-License-Identifier: Apache-2.0

package io.leaf.test.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * The signals that Java cannot send.
 */
public final class Signals {

	private static final long PAUSE_LIMIT = TimeUnit.SECONDS.toNanos(30);

	private Signals() {
	}

	/**
	 * Sends a signal to processes.
	 * @param signal its name, such as {@code TERM}
	 * @param processes the processes; one that has ended is left out by the system
	 */
	public static void send(String signal, List<ProcessHandle> processes) {
		if (ServerProcess.isWindows()) {
			throw new UnsupportedOperationException("There is no SIG" + signal + " on Windows");
		}
		// the shell's own kill: there is not always a program of that name
		List<String> command = new ArrayList<>(List.of("sh", "-c", "kill -" + signal + " \"$@\"", "sh"));
		processes.forEach((process) -> command.add(Long.toString(process.pid())));
		output(command);
	}

	/**
	 * Stops processes and waits until they stand still. The threads of a process go on,
	 * and may answer a client, until one of them has taken notice of the signal.
	 * @param processes the processes
	 */
	public static void pause(List<ProcessHandle> processes) {
		send("STOP", processes);
		long begin = System.nanoTime();
		while (!processes.stream().allMatch(Signals::isStill)) {
			if (System.nanoTime() - begin > PAUSE_LIMIT) {
				throw new IllegalStateException("Still running after SIGSTOP: " + processes);
			}
			Thread.onSpinWait();
		}
	}

	private static boolean isStill(ProcessHandle process) {
		if (!ServerProcess.isLinux()) {
			return isStill(output(List.of("ps", "-o", "state=", "-p", Long.toString(process.pid()))));
		}
		try (Stream<Path> threads = Files.list(Path.of("/proc", Long.toString(process.pid()), "task"))) {
			return threads.allMatch(Signals::isThreadStill);
		}
		catch (NoSuchFileException ex) {
			return true;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static boolean isThreadStill(Path thread) {
		try {
			String stat = Files.readString(thread.resolve("stat"));
			// the name, in parentheses, may contain anything
			return isStill(stat.substring(stat.lastIndexOf(')') + 1));
		}
		catch (IOException ex) {
			// it has ended
			return true;
		}
	}

	/** Stopped, or no more than a name. */
	private static boolean isStill(String state) {
		return state.isBlank() || "TZX".indexOf(state.strip().charAt(0)) >= 0;
	}

	private static String output(List<String> command) {
		try {
			Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
			String output = new String(process.getInputStream().readAllBytes());
			process.waitFor();
			return output;
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
