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
 * A network between clients and a server that a test can make slow or break. It listens
 * on the loopback address, on the same port throughout. A new proxy passes everything.
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
	 * Puts a proxy in front of a database server.
	 * @param jdbcUrl a URL of the server
	 * @return a proxy that passes everything
	 */
	public static TcpProxy inFrontOf(String jdbcUrl) {
		return new TcpProxy(JdbcUrls.host(jdbcUrl), JdbcUrls.port(jdbcUrl));
	}

	/**
	 * Leads a URL of the server through this proxy.
	 * @param jdbcUrl a URL of the server
	 * @return the same with this proxy's address
	 */
	public String through(String jdbcUrl) {
		return JdbcUrls.withAddress(jdbcUrl, "127.0.0.1", this.port);
	}

	public int port() {
		return this.port;
	}

	/**
	 * Has everything arrive later, in each direction. What follows on its heels is not
	 * held up: the network gets longer, not narrower. Order is kept.
	 * @param latency the time that data is under way, for data that sets out from now on
	 */
	public void latency(Duration latency) {
		this.latencyNanos = latency.toNanos();
	}

	/**
	 * Closes all connections and refuses new ones, as if no server listened.
	 */
	public synchronized void cut() {
		become(Fault.CUT);
		closeListener();
		new ArrayList<>(this.links).forEach(TcpProxyLink::close);
	}

	/**
	 * Resets all connections ({@code RST}) and refuses new ones, as a server does that
	 * has been started anew without its network.
	 */
	public synchronized void reset() {
		become(Fault.CUT);
		closeListener();
		new ArrayList<>(this.links).forEach(TcpProxyLink::reset);
	}

	/**
	 * Lets connections be made and stay open, but nothing through. As on a network, what
	 * was sent meanwhile, the end of a connection included, arrives after
	 * {@link #heal()}.
	 */
	public synchronized void blackhole() {
		listen();
		become(Fault.BLACKHOLE);
	}

	/**
	 * Lets answers through and no request. TCP sends again what is lost, so it arrives
	 * after {@link #heal()}, though the client may have given up on it.
	 */
	public synchronized void holdRequests() {
		listen();
		become(Fault.HOLD_REQUESTS);
	}

	/**
	 * Lets requests through and no answer. The server does at once what it is asked for;
	 * the answers arrive after {@link #heal()}.
	 */
	public synchronized void holdAnswers() {
		listen();
		become(Fault.HOLD_ANSWERS);
	}

	/**
	 * Lets requests through and no answer. A connection ends at the first answer lost:
	 * the server has done what it was asked for, and the client cannot know. New
	 * connections fail, too, as it is the server that speaks first.
	 */
	public synchronized void dropAnswers() {
		listen();
		become(Fault.DROP_ANSWERS);
	}

	/**
	 * Passes everything again, without latency.
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
			// connections of before a cut may linger
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
				// closed by a cut, or the client has gone again: the loop's condition
				// tells
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
			// the server is down: so are we
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
	 * Waits while nothing may pass in a direction.
	 * @param answers whether that is the one from the server to the client
	 * @return whether what was waited for is to be dropped
	 * @throws InterruptedException if the link is closed meanwhile
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
