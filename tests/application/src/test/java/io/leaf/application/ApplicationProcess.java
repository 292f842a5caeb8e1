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
 * An application in a separate process, for tests that need different JVM options or a
 * different classpath than the test process has.
 */
public final class ApplicationProcess implements AutoCloseable {

	private static final Duration TIMEOUT = Duration.ofSeconds(60);

	private static final Duration STOP_TIMEOUT = Duration.ofSeconds(20);

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
	 * @param folder the folder for its output
	 * @param classPath the classpath
	 * @param mainClass the name of the class to run
	 * @param options the options of the JVM
	 * @param arguments the arguments of the application
	 */
	public static ApplicationProcess start(Path folder, List<Path> classPath, String mainClass, List<String> options,
			List<String> arguments) throws IOException {
		Files.createDirectories(folder);
		Path output = folder.resolve("output.txt");
		List<String> command = new ArrayList<>(
				List.of(tool("java"), "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp",
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
	 * Returns the classpath of the tests.
	 */
	public static List<Path> classPath() {
		String classPath = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
		return Stream.of(classPath.split(System.getProperty("path.separator"))).map(Path::of).toList();
	}

	private static String tool(String name) {
		return Path.of(System.getProperty("java.home"), "bin", name).toString();
	}

	/**
	 * Waits until the output contains a text.
	 * @param text the text
	 * @param times how many times the output has to contain it
	 * @return the matches
	 */
	public List<MatchResult> awaitOutput(Pattern text, int times) {
		try {
			Awaitility.await()
				.atMost(TIMEOUT)
				.pollDelay(Duration.ZERO)
				.failFast(() -> !this.process.isAlive())
				.until(() -> text.matcher(output()).results().count() >= times);
		}
		catch (ConditionTimeoutException | TerminalFailureException ex) {
			throw new IllegalStateException("The output of the application does not contain '%s' %d times:%n%s"
				.formatted(text, times, output()), ex);
		}
		return text.matcher(output()).results().toList();
	}

	/**
	 * Waits until web servers have started.
	 * @param count the number of web servers, which start one after the other
	 * @return their ports
	 */
	public List<Integer> awaitPorts(int count) {
		return awaitOutput(PORT, count).stream().map((port) -> Integer.valueOf(port.group(1))).toList();
	}

	/**
	 * Returns the output of the application.
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
	 * Executes a diagnostic command in the application's JVM.
	 * @param command a command of {@code jcmd}
	 * @return the output of the command
	 */
	public String execute(String command) throws IOException {
		Process jcmd = new ProcessBuilder(tool("jcmd"), String.valueOf(this.process.pid()), command)
			.redirectErrorStream(true)
			.start();
		return new String(jcmd.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
	}

	/**
	 * Shuts down the application gracefully.
	 */
	public void stop() {
		this.process.destroy();
		this.process.onExit().orTimeout(STOP_TIMEOUT.toSeconds(), TimeUnit.SECONDS).join();
	}

	/**
	 * Kills the application if it has not been stopped.
	 */
	@Override
	public void close() {
		this.process.destroyForcibly().onExit().join();
		Runtime.getRuntime().removeShutdownHook(this.exit);
	}

}
