// SPDX-License-Identifier: Apache-2.0

package io.leaf.test.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * A network between clients and a server that a test can slow down or interrupt. The
 * proxy listens on the loopback address, and never changes its port. A new proxy forwards
 * everything.
 */
public final class TcpProxy implements AutoCloseable {

	private static final int CONNECT_TIMEOUT = 5000;

	private final String host;

	private final int targetPort;

	private final int port = ServerFiles.freePort();

	private final Set<TcpProxyLink> links = new HashSet<>();

	private Fault fault = Fault.NONE;

	private @Nullable ServerSocket listener;

	private volatile long latencyNanos;

	public TcpProxy(String host, int port) {
		this.host = host;
		this.targetPort = port;
		listen();
	}

	/**
	 * Creates a proxy in front of a database server.
	 * @param jdbcUrl a URL of the server
	 * @return a proxy that forwards everything
	 */
	public static TcpProxy inFrontOf(String jdbcUrl) {
		return new TcpProxy(JdbcUrls.host(jdbcUrl), JdbcUrls.port(jdbcUrl));
	}

	/**
	 * Changes a URL of the server so that it leads through this proxy.
	 * @param jdbcUrl a URL of the server
	 * @return the URL with the address of this proxy
	 */
	public String through(String jdbcUrl) {
		return JdbcUrls.withAddress(jdbcUrl, "127.0.0.1", this.port);
	}

	public int port() {
		return this.port;
	}

	/**
	 * Delays all data in each direction. Later data does not wait for earlier data: the
	 * latency increases, but the bandwidth stays the same. The order is kept.
	 * @param latency the delay of the data that is sent from now on
	 */
	public void latency(Duration latency) {
		this.latencyNanos = latency.toNanos();
	}

	/**
	 * Closes all connections and refuses new ones, as if no server were listening.
	 */
	public synchronized void cut() {
		become(Fault.CUT);
		closeListener();
		new ArrayList<>(this.links).forEach(TcpProxyLink::close);
	}

	/**
	 * Resets all connections ({@code RST}) and refuses new ones, like a server that was
	 * restarted without its network.
	 */
	public synchronized void reset() {
		become(Fault.CUT);
		closeListener();
		new ArrayList<>(this.links).forEach(TcpProxyLink::reset);
	}

	/**
	 * Accepts connections and keeps them open, but forwards nothing. As on a real
	 * network, data that is sent in the meantime arrives after {@link #heal()}, and so
	 * does the end of a connection.
	 */
	public synchronized void blackhole() {
		listen();
		become(Fault.BLACKHOLE);
	}

	/**
	 * Forwards answers, but no requests. TCP retransmits lost data, so the requests
	 * arrive after {@link #heal()}, even if the client has given up on them.
	 */
	public synchronized void holdRequests() {
		listen();
		become(Fault.HOLD_REQUESTS);
	}

	/**
	 * Forwards requests, but no answers. The server executes the requests immediately;
	 * the answers arrive after {@link #heal()}.
	 */
	public synchronized void holdAnswers() {
		listen();
		become(Fault.HOLD_ANSWERS);
	}

	/**
	 * Forwards requests, but no answers. The first lost answer ends its connection: the
	 * server has executed the request, but the client cannot know this. New connections
	 * also fail, because the server sends the first message.
	 */
	public synchronized void dropAnswers() {
		listen();
		become(Fault.DROP_ANSWERS);
	}

	/**
	 * Forwards everything again, without latency.
	 */
	public synchronized void heal() {
		latency(Duration.ZERO);
		listen();
		become(Fault.NONE);
	}

	@Override
	public void close() {
		cut();
	}

	private void become(Fault fault) {
		this.fault = fault;
		notifyAll();
	}

	private synchronized void listen() {
		if (this.listener != null) {
			return;
		}
		try {
			ServerSocket listener = new ServerSocket();
			this.listener = listener;
			// connections from before a cut may linger
			listener.setReuseAddress(true);
			listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), this.port));
			startThread("accept", () -> acceptFrom(listener));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private void closeListener() {
		try {
			if (this.listener != null) {
				this.listener.close();
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		this.listener = null;
	}

	private void acceptFrom(ServerSocket listener) {
		while (!listener.isClosed()) {
			try {
				open(listener, listener.accept());
			}
			catch (IOException ex) {
				// either a cut closed the listener, which ends the loop, or the client
				// has already disconnected
			}
		}
	}

	@SuppressWarnings("resource") // the link closes itself
	private void open(ServerSocket listener, Socket client) throws IOException {
		Socket server = new Socket();
		TcpProxyLink link = new TcpProxyLink(this, client, server);
		try {
			server.connect(new InetSocketAddress(this.host, this.targetPort), CONNECT_TIMEOUT);
			client.setTcpNoDelay(true);
			server.setTcpNoDelay(true);
		}
		catch (IOException ex) {
			// the server is down, so the client is disconnected
			link.close();
			return;
		}
		synchronized (this) {
			if (this.listener != listener) {
				link.close();
				return;
			}
			this.links.add(link);
		}
		link.start();
	}

	synchronized void remove(TcpProxyLink link) {
		this.links.remove(link);
	}

	long latencyNanos() {
		return this.latencyNanos;
	}

	/**
	 * Waits while the fault holds the data of a direction.
	 * @param answers whether the direction is the one from the server to the client
	 * @return whether the data must be dropped
	 * @throws InterruptedException if the link is closed in the meantime
	 */
	synchronized boolean awaitPassage(boolean answers) throws InterruptedException {
		while (this.fault == Fault.BLACKHOLE || this.fault == (answers ? Fault.HOLD_ANSWERS : Fault.HOLD_REQUESTS)) {
			wait();
		}
		return answers && this.fault == Fault.DROP_ANSWERS;
	}

	Thread startThread(String task, Runnable runnable) {
		Thread thread = new Thread(runnable, "tcp-proxy-" + this.port + "-" + task);
		thread.setDaemon(true);
		thread.start();
		return thread;
	}

	private enum Fault {

		NONE, BLACKHOLE, HOLD_REQUESTS, HOLD_ANSWERS, DROP_ANSWERS, CUT

	}

}
