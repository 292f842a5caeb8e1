// SPDX-License-Identifier: Apache-2.0

package io.leaf.test.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

import com.sun.net.httpserver.HttpServer;

/**
 * HAProxy in front of a cluster. It sends all connections to one member that takes
 * writes, and closes those to a member that does not any longer. As Patroni and Galera's
 * {@code clustercheck} do, an HTTP service for each member answers whether it takes
 * writes; these run in this JVM.
 */
final class Haproxy implements AutoCloseable {

	private static final Path PROGRAM = Path.of("/usr/sbin/haproxy");

	private final Path directory = ServerFiles.createDirectory("haproxy");

	private final int port = ServerFiles.freePort();

	private final List<HttpServer> checks = new ArrayList<>();

	private final ExecutorService executor = Executors.newCachedThreadPool();

	private final Runnable atExit = this::close;

	private final ServerProcess process;

	Haproxy(DatabaseCluster cluster, List<? extends LocalServer> members) {
		StringBuilder config = new StringBuilder("""
				global
				  maxconn 2000
				defaults
				  mode tcp
				  timeout connect 1s
				  timeout client 1h
				  timeout server 1h
				  timeout check 1500ms
				listen database
				  bind 127.0.0.1:%d
				  option httpchk
				  default-server inter 500ms fall 2 rise 1 on-marked-down shutdown-sessions
				""".formatted(this.port));
		try {
			for (LocalServer member : members) {
				config.append("  server m%d 127.0.0.1:%d check port %d%s\n".formatted(this.checks.size(), member.port(),
						check(cluster, member), this.checks.isEmpty() ? "" : " backup"));
			}
			Path file = Files.writeString(this.directory.resolve("haproxy.cfg"), config);
			this.process = ServerProcess.start(this.directory, Map.of(),
					List.of(PROGRAM.toString(), "-db", "-f", file.toString()));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		ExitActions.add(this.atExit);
		awaitPort();
	}

	static boolean isInstalled() {
		return Files.exists(PROGRAM);
	}

	private int check(DatabaseCluster cluster, LocalServer member) throws IOException {
		HttpServer check = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
		check.setExecutor(this.executor);
		check.createContext("/", (exchange) -> {
			exchange.sendResponseHeaders(cluster.isWritable(member) ? 200 : 503, -1);
			exchange.close();
		});
		check.start();
		this.checks.add(check);
		return check.getAddress().getPort();
	}

	private void awaitPort() {
		while (true) {
			try {
				new Socket(InetAddress.getLoopbackAddress(), this.port).close();
				return;
			}
			catch (IOException ex) {
				if (this.process.awaitExit(25)) {
					throw new IllegalStateException("HAProxy does not start:\n" + this.process.output(), ex);
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
		this.checks.forEach((check) -> check.stop(0));
		this.executor.shutdownNow();
		ServerFiles.deleteTree(this.directory);
	}

}
