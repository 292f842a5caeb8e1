// SPDX-License-Identifier: Apache-2.0

package io.leaf.server;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

/**
 * A process of the packaged server that is started from its jar, as users start it.
 */
final class ServerProcess implements AutoCloseable {

	private static final Duration TIMEOUT = Duration.ofMinutes(3);

	private static final Pattern READY = Pattern
		.compile("IDs: http://localhost:(\\d+)/api/segment/get/\\[key]\\. Live page: http://([\\d.]+:\\d+)/");

	private final HttpClient client = HttpClient.newHttpClient();

	private final StringBuilder output = new StringBuilder();

	private final Process process;

	private final String port;

	private final String page;

	ServerProcess(Path folder, List<String> options, String... arguments) throws IOException {
		this(command(options, arguments), folder);
	}

	private ServerProcess(List<String> command, Path folder) throws IOException {
		this.process = new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true).start();
		Matcher ready = awaitReady();
		this.port = ready.group(1);
		this.page = ready.group(2);
		Thread reader = new Thread(this::read, "server-output");
		reader.setDaemon(true);
		reader.start();
	}

	/**
	 * Starts a process.
	 * @param folder its working directory
	 * @param command the program and its arguments; no ports are added
	 */
	static ServerProcess ofCommand(Path folder, List<String> command) throws IOException {
		return new ServerProcess(command, folder);
	}

	private static List<String> command(List<String> options, String... arguments) {
		List<String> command = new ArrayList<>();
		command.add(java());
		command.addAll(List.of("-Xmx128m", "-XX:TieredStopAtLevel=1"));
		command.addAll(options);
		command
			.addAll(List.of("-jar", System.getProperty("server.jar"), "--server.port=0", "--management.server.port=0"));
		command.addAll(List.of(arguments));
		return command;
	}

	/**
	 * Returns the path of the program {@code java} that runs this test.
	 */
	static String java() {
		return Path.of(System.getProperty("java.home"), "bin", "java").toString();
	}

	private Matcher awaitReady() {
		try {
			return assertTimeoutPreemptively(TIMEOUT, this::ready);
		}
		catch (AssertionError ex) {
			kill();
			throw new AssertionError(ex.getMessage() + "\n" + this.output, ex);
		}
	}

	private Matcher ready() throws IOException {
		BufferedReader reader = this.process.inputReader(StandardCharsets.UTF_8);
		for (String line = reader.readLine(); line != null; line = reader.readLine()) {
			this.output.append(line).append('\n');
			Matcher ready = READY.matcher(line);
			if (ready.find()) {
				return ready;
			}
		}
		throw new AssertionError("The server ended");
	}

	// discards the output after startup: a full pipe would block the server
	private void read() {
		try {
			while (this.process.inputReader(StandardCharsets.UTF_8).readLine() != null) {
				continue;
			}
		}
		catch (IOException ex) {
			// the process has ended
		}
	}

	HttpResponse<String> api(String path) throws IOException, InterruptedException {
		return get("http://localhost:" + this.port + path);
	}

	HttpResponse<String> management(String path) throws IOException, InterruptedException {
		return get("http://" + this.page + path);
	}

	private HttpResponse<String> get(String uri) throws IOException, InterruptedException {
		return this.client.send(HttpRequest.newBuilder(URI.create(uri)).timeout(TIMEOUT).build(),
				HttpResponse.BodyHandlers.ofString(StandardCharsets.UTF_8));
	}

	void kill() {
		end(this.process.destroyForcibly());
	}

	@Override
	public void close() {
		this.process.destroy();
		end(this.process);
	}

	private static void end(Process process) {
		assertThat(process.onExit().orTimeout(TIMEOUT.toSeconds(), TimeUnit.SECONDS).join().isAlive()).isFalse();
	}

}
