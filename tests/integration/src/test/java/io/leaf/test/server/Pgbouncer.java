// SPDX-License-Identifier: Apache-2.0

package io.leaf.test.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * PgBouncer in transaction mode, in front of one address of PostgreSQL. Consecutive
 * transactions of a client may run in different sessions of the server.
 */
final class Pgbouncer implements AutoCloseable {

	private static final Path PROGRAM = Path.of("/usr/sbin/pgbouncer");

	private final Path directory = ServerFiles.createDirectory("pgbouncer");

	private final int port = ServerFiles.freePort();

	private final Runnable atExit = this::close;

	private final ServerProcess process;

	/**
	 * Starts the pool.
	 * @param upstream the port of PostgreSQL, or of a proxy in front of it
	 */
	Pgbouncer(int upstream, String username, String password) {
		if (!Files.exists(PROGRAM)) {
			throw new IllegalStateException("PgBouncer is not installed:\n    apt-get install -y pgbouncer");
		}
		try {
			Path users = Files.writeString(this.directory.resolve("users.txt"),
					"\"%s\" \"%s\"\n".formatted(username, password));
			Path config = Files.writeString(this.directory.resolve("pgbouncer.ini"), """
					[databases]
					* = host=127.0.0.1 port=%d
					[pgbouncer]
					listen_addr = 127.0.0.1
					listen_port = %d
					unix_socket_dir =
					auth_type = trust
					auth_file = %s
					pool_mode = transaction
					ignore_startup_parameters = extra_float_digits
					max_client_conn = 500
					default_pool_size = 20
					server_login_retry = 1
					""".formatted(upstream, this.port, users));
			List<String> command = new ArrayList<>(Unprivileged.prefix(this.directory, this.directory.resolve("data")));
			command.addAll(List.of(PROGRAM.toString(), config.toString()));
			this.process = ServerProcess.start(this.directory, Map.of(), command);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		ExitActions.add(this.atExit);
		awaitPort();
	}

	private void awaitPort() {
		while (true) {
			try {
				new Socket(InetAddress.getLoopbackAddress(), this.port).close();
				return;
			}
			catch (IOException ex) {
				if (this.process.awaitExit(25)) {
					throw new IllegalStateException("PgBouncer does not start:\n" + this.process.output(), ex);
				}
			}
		}
	}

	int port() {
		return this.port;
	}

	@Override
	public void close() {
		ExitActions.remove(this.atExit);
		this.process.kill();
		ServerFiles.deleteTree(this.directory);
	}

}
