// SPDX-License-Identifier: Apache-2.0

package io.leaf.test.server;

import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A server that runs as a child process with its own port and directory.
 */
public abstract class LocalServer extends JdbcServer implements ControllableServer {

	private static final Logger logger = LoggerFactory.getLogger(LocalServer.class);

	private static final long START_LIMIT = TimeUnit.SECONDS.toNanos(120);

	private final Path directory;

	private Path data;

	private final int port = ServerFiles.freePort();

	private final Runnable atExit = this::close;

	private @Nullable ServerProcess process;

	private @Nullable SmallDisk smallDisk;

	LocalServer(String name) {
		this.directory = ServerFiles.createDirectory(name);
		this.data = this.directory.resolve("data");
	}

	/**
	 * Starts the server for the first time.
	 * @return this server
	 */
	final LocalServer launch() {
		ExitActions.add(this.atExit);
		try {
			long begin = System.nanoTime();
			initialise();
			start();
			logger.info("Started {} in {} ms", this, TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin));
			return this;
		}
		catch (RuntimeException ex) {
			close();
			throw ex;
		}
	}

	/** Creates the data directory. */
	abstract void initialise();

	/**
	 * Returns the command that runs the server in the foreground.
	 * @return the program and its arguments
	 */
	abstract List<String> command();

	Map<String, String> environment() {
		return Map.of();
	}

	/**
	 * Returns the signal that makes the server close its connections and exit.
	 * @return the signal's name
	 */
	String stopSignal() {
		return "TERM";
	}

	@Override
	public final synchronized void start() {
		if (this.process != null) {
			throw new IllegalStateException("The server is already running");
		}
		ServerProcess process = ServerProcess.start(this.directory, environment(), command());
		this.process = process;
		awaitConnection(process);
	}

	private void awaitConnection(ServerProcess process) {
		long begin = System.nanoTime();
		String url = JdbcUrls.withTimeout(jdbcUrl(), Duration.ofSeconds(5));
		while (true) {
			try {
				connect(url).close();
				return;
			}
			catch (SQLException ex) {
				if (process.awaitExit(25) || System.nanoTime() - begin > START_LIMIT) {
					throw new IllegalStateException("The server does not start:\n" + process.output(), ex);
				}
			}
		}
	}

	@Override
	public final synchronized void kill() {
		running().kill();
		this.process = null;
	}

	@Override
	public final synchronized void stop() {
		ServerProcess process = running();
		if (ServerProcess.isWindows()) {
			process.kill();
		}
		else {
			process.end(stopSignal());
		}
		if (!process.awaitExit(60_000)) {
			throw new IllegalStateException("The server does not stop:\n" + process.output());
		}
		this.process = null;
	}

	/**
	 * Waits until the server has exited by itself.
	 */
	final synchronized void awaitEnd() {
		if (!running().awaitExit(60_000)) {
			throw new IllegalStateException("The server does not exit:\n" + running().output());
		}
		this.process = null;
	}

	@Override
	public final synchronized void pause() {
		running().pause();
	}

	@Override
	public final synchronized void resume() {
		running().resume();
	}

	/**
	 * Returns whether the server was started, and neither killed nor stopped since.
	 */
	public final synchronized boolean isRunning() {
		return this.process != null;
	}

	/**
	 * Moves the data of this server to a disk that a test can fill. The server must not
	 * be running.
	 * @throws IllegalStateException if this process does not run as root
	 */
	public final synchronized void moveToSmallDisk() {
		Path directory = this.directory.resolve("disk");
		this.smallDisk = SmallDisk.mountForServer(directory);
		moveData(directory.resolve("data"));
	}

	/**
	 * Fills the small disk while the server is running.
	 */
	public void fillDisk() {
		Objects.requireNonNull(this.smallDisk).fill();
	}

	/**
	 * Moves the data of this server away from the small disk, and unmounts the disk. The
	 * server must not be running.
	 */
	public final synchronized void leaveSmallDisk() {
		moveData(this.directory.resolve("data"));
		Objects.requireNonNull(this.smallDisk).close();
		this.smallDisk = null;
	}

	private void moveData(Path target) {
		ServerProcess.run(this.directory, Map.of(), List.of("mv", this.data.toString(), target.toString()));
		this.data = target;
	}

	private ServerProcess running() {
		if (this.process == null) {
			throw new IllegalStateException("The server is not running");
		}
		return this.process;
	}

	@Override
	public final synchronized void close() {
		ExitActions.remove(this.atExit);
		if (this.process != null) {
			kill();
		}
		ServerFiles.deleteTree(data());
		if (this.smallDisk != null) {
			this.smallDisk.close();
		}
	}

	final Path directory() {
		return this.directory;
	}

	final Path data() {
		return this.data;
	}

	final int port() {
		return this.port;
	}

	@Override
	public final String username() {
		return "leaf";
	}

	@Override
	public final String password() {
		return "leaf";
	}

}
