// SPDX-License-Identifier: Apache-2.0

package io.leaf.test.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

import com.sun.net.httpserver.HttpServer;

/**
 * HAProxy in front of a cluster. It sends all connections to one member that accepts
 * writes, and closes the connections to a member that no longer does. An HTTP service for
 * each member reports whether the member accepts writes, as Patroni and Galera's
 * {@code clustercheck} do. These services run in this JVM.
 */
final class Haproxy extends LocalProxy {

	private static final Path PROGRAM = Path.of("/usr/sbin/haproxy");

	private final List<HttpServer> checks = new ArrayList<>();

	private final ExecutorService executor = Executors.newCachedThreadPool();

	Haproxy(DatabaseCluster cluster, List<? extends LocalServer> members) {
		super(PROGRAM);
		StringBuilder config = new StringBuilder("""
				global
				  maxconn 2000
				defaults
				  mode tcp
				  timeout connect 1s
				  timeout client 1h
				  timeout server 1h
				  timeout check 1500ms
				  retries 0
				listen database
				  bind 127.0.0.1:%d
				  option httpchk
				  default-server inter 250ms fall 2 rise 1 on-marked-down shutdown-sessions
				""".formatted(port()));
		for (LocalServer member : members) {
			config.append("  server m%d 127.0.0.1:%d check port %d%s\n".formatted(this.checks.size(), member.port(),
					check(cluster, member), this.checks.isEmpty() ? "" : " backup"));
		}
		start(List.of(), "-db", "-f", write("haproxy.cfg", config.toString()));
	}

	static boolean isInstalled() {
		return Files.exists(PROGRAM);
	}

	private int check(DatabaseCluster cluster, LocalServer member) {
		try {
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
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	@Override
	public void close() {
		super.close();
		this.checks.forEach((check) -> check.stop(0));
		this.executor.shutdownNow();
	}

}
