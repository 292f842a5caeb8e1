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
 * Sends the signals that Java cannot send.
 */
public final class Signals {

	private static final long PAUSE_LIMIT = TimeUnit.SECONDS.toNanos(30);

	private Signals() {
	}

	/**
	 * Sends a signal to processes.
	 * @param signal its name, such as {@code TERM}
	 * @param processes the processes; a process that has ended is ignored
	 */
	public static void send(String signal, List<ProcessHandle> processes) {
		if (ServerProcess.isWindows()) {
			throw new UnsupportedOperationException("There is no SIG" + signal + " on Windows");
		}
		// the kill built into the shell, because a program of that name is not always
		// installed
		List<String> command = new ArrayList<>(List.of("sh", "-c", "kill -" + signal + " \"$@\"", "sh"));
		processes.forEach((process) -> command.add(Long.toString(process.pid())));
		output(command);
	}

	/**
	 * Stops processes, and waits until all their threads have stopped. The threads of a
	 * process continue, and may answer a client, until one of them has handled the
	 * signal.
	 * @param processes the processes
	 */
	public static void pause(List<ProcessHandle> processes) {
		send("STOP", processes);
		long begin = System.nanoTime();
		while (!processes.stream().allMatch(Signals::isStopped)) {
			if (System.nanoTime() - begin > PAUSE_LIMIT) {
				throw new IllegalStateException("Still running after SIGSTOP: " + processes);
			}
			Thread.onSpinWait();
		}
	}

	private static boolean isStopped(ProcessHandle process) {
		if (!ServerProcess.isLinux()) {
			return isStopped(output(List.of("ps", "-o", "state=", "-p", Long.toString(process.pid()))));
		}
		try (Stream<Path> threads = Files.list(Path.of("/proc", Long.toString(process.pid()), "task"))) {
			return threads.allMatch(Signals::isThreadStopped);
		}
		catch (NoSuchFileException ex) {
			return true;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static boolean isThreadStopped(Path thread) {
		try {
			String stat = Files.readString(thread.resolve("stat"));
			// the name, in parentheses, may contain any characters
			return isStopped(stat.substring(stat.lastIndexOf(')') + 1));
		}
		catch (IOException ex) {
			// the thread has ended
			return true;
		}
	}

	/** Returns whether a state means stopped, zombie or dead, or is missing. */
	private static boolean isStopped(String state) {
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
