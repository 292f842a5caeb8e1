// SPDX-License-Identifier: Apache-2.0

package io.leaf.test.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;

/**
 * A ZooKeeper server in a separate process that a test can stop, kill and freeze. It
 * keeps its port and its directory.
 */
public final class ZooKeeperProcess implements AutoCloseable {

	private static final long START_LIMIT = TimeUnit.SECONDS.toNanos(60);

	private final Path directory = ServerFiles.createDirectory("zookeeper");

	private final int port = ServerFiles.freePort();

	private final Runnable atExit = this::close;

	// the configuration of the ensemble, with one line for each server
	private String ensemble = "";

	private @Nullable ServerProcess process;

	private ZooKeeperProcess() {
		ExitActions.add(this.atExit);
	}

	/**
	 * Starts a server without data.
	 */
	public static ZooKeeperProcess launch() {
		ZooKeeperProcess server = new ZooKeeperProcess();
		server.start();
		return server;
	}

	/**
	 * Starts an ensemble without data, and waits until all its servers serve requests.
	 * @param size the number of servers
	 */
	public static List<ZooKeeperProcess> launchEnsemble(int size) {
		List<ZooKeeperProcess> servers = new ArrayList<>();
		StringBuilder ensemble = new StringBuilder("initLimit=20\nsyncLimit=4\n");
		for (int id = 1; id <= size; id++) {
			servers.add(new ZooKeeperProcess());
			ensemble
				.append("server.%d=127.0.0.1:%d:%d\n".formatted(id, ServerFiles.freePort(), ServerFiles.freePort()));
		}
		for (int id = 1; id <= size; id++) {
			ZooKeeperProcess server = servers.get(id - 1);
			server.ensemble = ensemble.toString();
			try {
				Files.createDirectories(server.directory.resolve("data"));
				Files.writeString(server.directory.resolve("data").resolve("myid"), Integer.toString(id));
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
			server.startWithoutWaiting();
		}
		servers.forEach((server) -> server.awaitServing(server.running()));
		return servers;
	}

	/**
	 * Returns whether the server is the leader of an ensemble that serves requests.
	 */
	public boolean isLeader() {
		return answer("srvr").contains("Mode: leader");
	}

	public String connectString() {
		return "127.0.0.1:" + this.port;
	}

	public int port() {
		return this.port;
	}

	/**
	 * Starts the server for the first time, or after {@link #kill()} or {@link #stop()},
	 * and waits until it serves requests.
	 */
	public void start() {
		startWithoutWaiting();
		awaitServing(running());
	}

	private void startWithoutWaiting() {
		Path config = this.directory.resolve("zoo.cfg");
		try {
			Files.writeString(config, """
					dataDir=%s
					clientPort=%d
					clientPortAddress=127.0.0.1
					admin.enableServer=false
					4lw.commands.whitelist=srvr
					tickTime=500
					maxSessionTimeout=60000
					maxClientCnxns=0
					%s""".formatted(this.directory.resolve("data").toString().replace('\\', '/'), this.port,
					this.ensemble));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		this.process = ServerProcess.start(this.directory, Map.of(),
				List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx128m",
						"-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp",
						System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
						"org.apache.zookeeper.server.quorum.QuorumPeerMain", config.toString()));
	}

	// an open port is not enough: the server may not serve requests yet
	private void awaitServing(ServerProcess process) {
		long begin = System.nanoTime();
		while (!answer("srvr").contains("Zookeeper version")) {
			if (process.awaitExit(25) || System.nanoTime() - begin > START_LIMIT) {
				throw new IllegalStateException("ZooKeeper does not start:\n" + process.output());
			}
		}
	}

	/**
	 * Returns how many packets the server has received from its clients.
	 */
	public long received() {
		return answer("srvr").lines()
			.filter((line) -> line.startsWith("Received: "))
			.mapToLong((line) -> Long.parseLong(line.substring("Received: ".length()).strip()))
			.findFirst()
			.orElseThrow();
	}

	private String answer(String command) {
		try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), this.port)) {
			socket.setSoTimeout(5_000);
			socket.getOutputStream().write(command.getBytes(StandardCharsets.US_ASCII));
			return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
		}
		catch (IOException ex) {
			return "";
		}
	}

	/**
	 * Kills the server. Acknowledged data is still there after {@link #start()}.
	 */
	public void kill() {
		if (this.process != null) {
			this.process.kill();
			this.process = null;
		}
	}

	/**
	 * Stops the server with {@code SIGTERM}, as ZooKeeper's own script does.
	 */
	public void stop() {
		ServerProcess process = running();
		process.end("TERM");
		if (!process.awaitExit(60_000)) {
			throw new IllegalStateException("ZooKeeper does not stop:\n" + process.output());
		}
		this.process = null;
	}

	/**
	 * Freezes the server: connections stay open, but it does not answer.
	 */
	public void pause() {
		running().pause();
	}

	/**
	 * Resumes a paused server.
	 */
	public void resume() {
		running().resume();
	}

	private ServerProcess running() {
		if (this.process == null) {
			throw new IllegalStateException("The server is not running");
		}
		return this.process;
	}

	/**
	 * Terminates the server permanently and deletes its data.
	 */
	@Override
	public void close() {
		kill();
		ExitActions.remove(this.atExit);
		ServerFiles.deleteTree(this.directory);
	}

}
