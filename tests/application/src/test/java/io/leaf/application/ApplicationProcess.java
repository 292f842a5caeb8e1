// SPDX-License-Identifier: Apache-2.0

package io.leaf.application;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;
import org.awaitility.core.TerminalFailureException;

/**
 * An application in a process of its own, for what cannot be had in the process of the
 * tests: other options of the JVM, or another class path.
 */
public final class ApplicationProcess implements AutoCloseable {

	private static final Duration PATIENCE = Duration.ofSeconds(60);

	private static final Duration STOP_PATIENCE = Duration.ofSeconds(20);

	private static final Pattern PORT = Pattern.compile("Netty started on port (\\d+)");

	private final Process process;

	private final Path output;

	private final Thread exit;

	private ApplicationProcess(Process process, Path output) {
		this.process = process;
		this.output = output;
		this.exit = new Thread(process::destroyForcibly);
		Runtime.getRuntime().addShutdownHook(this.exit);
	}

	/**
	 * Starts an application.
	 * @param folder where its output goes
	 * @param classPath where its classes are
	 * @param mainClass the name of the class to run
	 * @param options options of the JVM
	 * @param arguments arguments of the application
	 */
	public static ApplicationProcess start(Path folder, List<Path> classPath, String mainClass, List<String> options,
			List<String> arguments) throws IOException {
		Files.createDirectories(folder);
		Path output = folder.resolve("output.txt");
		List<String> command = new ArrayList<>(List.of(tool("java"), "-XX:TieredStopAtLevel=1", "-cp",
				classPath.stream()
					.map(Path::toString)
					.collect(Collectors.joining(System.getProperty("path.separator")))));
		command.addAll(options);
		command.add(mainClass);
		command.addAll(arguments);
		Process process = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile()).start();
		return new ApplicationProcess(process, output);
	}

	/**
	 * Returns the class path of the tests.
	 */
	public static List<Path> classPath() {
		String classPath = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
		return Stream.of(classPath.split(System.getProperty("path.separator"))).map(Path::of).toList();
	}

	private static String tool(String name) {
		return Path.of(System.getProperty("java.home"), "bin", name).toString();
	}

	/**
	 * Waits until the output has something.
	 * @param text what to look for
	 * @param times how many times it has to be there
	 * @return what was found
	 */
	public List<MatchResult> awaitOutput(Pattern text, int times) {
		try {
			Awaitility.await()
				.atMost(PATIENCE)
				.pollDelay(Duration.ZERO)
				.failFast(() -> !this.process.isAlive())
				.until(() -> text.matcher(output()).results().count() >= times);
		}
		catch (ConditionTimeoutException | TerminalFailureException ex) {
			throw new IllegalStateException(
					"'%s' is not %d times in the output of the application:%n%s".formatted(text, times, output()), ex);
		}
		return text.matcher(output()).results().toList();
	}

	/**
	 * Waits until web servers have been started.
	 * @param count how many, one after the other
	 * @return their ports
	 */
	public List<Integer> awaitPorts(int count) {
		return awaitOutput(PORT, count).stream().map((port) -> Integer.valueOf(port.group(1))).toList();
	}

	/**
	 * Returns what the application has written.
	 */
	public String output() {
		try {
			return Files.readString(this.output);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Asks the application's JVM about itself.
	 * @param command a command of {@code jcmd}
	 * @return the answer
	 */
	public String ask(String command) throws IOException {
		Process jcmd = new ProcessBuilder(tool("jcmd"), String.valueOf(this.process.pid()), command)
			.redirectErrorStream(true)
			.start();
		return new String(jcmd.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
	}

	/**
	 * Stops the application in order.
	 */
	public void stop() {
		this.process.destroy();
		this.process.onExit().orTimeout(STOP_PATIENCE.toSeconds(), TimeUnit.SECONDS).join();
	}

	/**
	 * Ends the application if it has not been stopped.
	 */
	@Override
	public void close() {
		this.process.destroyForcibly().onExit().join();
		Runtime.getRuntime().removeShutdownHook(this.exit);
	}

}
