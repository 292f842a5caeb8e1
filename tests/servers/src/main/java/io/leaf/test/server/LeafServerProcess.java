// SPDX-License-Identifier: Apache-2.0

package io.leaf.test.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/**
 * A process of the packaged Leaf server that a test can kill and freeze. It keeps its
 * port when it is restarted.
 */
public final class LeafServerProcess implements AutoCloseable {

	private static final Pattern JAR = Pattern.compile("leaf-server-[^-]+(-SNAPSHOT)?\\.jar");

	private static final long START_LIMIT = TimeUnit.SECONDS.toNanos(120);

	private final HttpClient client = HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(1)).build();

	private final Path directory = ServerFiles.createDirectory("leafserver");

	private final int port = ServerFiles.freePort();

	private final Runnable atExit = this::close;

	private final List<String> command = new ArrayList<>();

	private @Nullable ServerProcess process;

	private LeafServerProcess(List<String> properties) {
		this.command.addAll(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx128m",
				"-jar", jar().toString(), "--server.address=127.0.0.1", "--server.port=" + this.port,
				"--management.server.port=0"));
		properties.forEach((property) -> this.command.add("--" + property));
		ExitActions.add(this.atExit);
	}

	/**
	 * Starts a server, and waits until it serves requests.
	 * @param properties its properties
	 */
	public static LeafServerProcess launch(List<String> properties) {
		LeafServerProcess server = new LeafServerProcess(properties);
		server.start();
		return server;
	}

	private static Path jar() {
		Path directory = ServerFiles.target().resolve(Path.of("..", "..", "..", "leaf-server", "target")).normalize();
		try (Stream<Path> files = Files.list(directory)) {
			return files.filter((file) -> JAR.matcher(file.getFileName().toString()).matches())
				.findFirst()
				.orElseThrow(() -> new IllegalStateException("The Leaf server was not packaged"));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	public String url() {
		return "http://127.0.0.1:" + this.port;
	}

	/**
	 * Starts the server for the first time or after {@link #kill()}, and waits until it
	 * serves requests.
	 */
	public synchronized void start() {
		ServerProcess process = ServerProcess.start(this.directory, Map.of(), this.command);
		this.process = process;
		long begin = System.nanoTime();
		while (!isServing()) {
			if (process.awaitExit(50) || System.nanoTime() - begin > START_LIMIT) {
				throw new IllegalStateException("The Leaf server does not start:\n" + process.output());
			}
		}
	}

	private boolean isServing() {
		try {
			HttpRequest request = HttpRequest.newBuilder(URI.create(url() + "/openapi.json"))
				.timeout(Duration.ofSeconds(2))
				.build();
			return this.client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode() == 200;
		}
		catch (IOException ex) {
			return false;
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException("Interrupted", ex);
		}
	}

	/** Kills the server, as {@code kill -9} does. */
	public synchronized void kill() {
		running().kill();
		this.process = null;
	}

	/** Freezes the server: connections stay open, but it does not answer. */
	public synchronized void pause() {
		running().pause();
	}

	/** Resumes a paused server. */
	public synchronized void resume() {
		running().resume();
	}

	/**
	 * Returns the last lines of the server's output.
	 */
	public synchronized String output() {
		return running().output();
	}

	private ServerProcess running() {
		if (this.process == null) {
			throw new IllegalStateException("The Leaf server is not running");
		}
		return this.process;
	}

	@Override
	public synchronized void close() {
		if (this.process != null) {
			kill();
		}
		ExitActions.remove(this.atExit);
		ServerFiles.deleteTree(this.directory);
	}

}
