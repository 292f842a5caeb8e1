// SPDX-License-Identifier: Apache-2.0

package io.leaf.snowflake.lease.zookeeper;

import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import org.apache.zookeeper.ZooDefs.OpCode;

/**
 * A proxy in front of a ZooKeeper server, which simulates a slow or broken network. It
 * parses the frames of the protocol: a length, followed by that number of bytes. Requests
 * start with their number and type, answers with the number.
 */
final class ZooKeeperProxy implements AutoCloseable {

	private final int serverPort;

	private final ServerSocket listener;

	private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();

	private final List<Integer> requests = new CopyOnWriteArrayList<>();

	private volatile long latencyMillis;

	private volatile int losing;

	private volatile int lost;

	private volatile boolean silent;

	private volatile Interruption interruption = new Interruption(0, new AtomicInteger(), () -> {
	});

	ZooKeeperProxy(int serverPort) throws IOException {
		this.serverPort = serverPort;
		this.listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
		start(this::accept);
	}

	String connectString() {
		return "127.0.0.1:" + this.listener.getLocalPort();
	}

	/**
	 * Delays answers. Answers that follow closely are not delayed further.
	 */
	void latency(Duration latency) {
		this.latencyMillis = latency.toMillis();
	}

	/**
	 * Closes the connection when the server answers the next request of a type. The
	 * server has processed the request, but the client cannot know this.
	 */
	void loseAnswerTo(int type) {
		this.losing = type;
	}

	/**
	 * Runs an action before a request reaches the server.
	 * @param type the type of the request
	 * @param count which request of that type from now on, 1 for the next
	 * @param action the action, which runs once
	 */
	void before(int type, int count, Action action) {
		this.interruption = new Interruption(type, new AtomicInteger(count), action);
	}

	/**
	 * Stops or resumes the traffic, while connections stay open.
	 */
	void silent(boolean isSilent) {
		this.silent = isSilent;
	}

	/**
	 * Returns the types of the requests since the last call, except those that keep the
	 * connection alive.
	 */
	List<Integer> requests() {
		List<Integer> types = this.requests.stream().filter((type) -> type != OpCode.ping).toList();
		this.requests.clear();
		return types;
	}

	private void accept() throws IOException {
		while (!this.listener.isClosed()) {
			Socket client = this.listener.accept();
			Socket server = new Socket(InetAddress.getLoopbackAddress(), this.serverPort);
			this.sockets.addAll(List.of(client, server));
			Link link = new Link(client, server);
			start(link::passRequests);
			start(link::passAnswers);
		}
	}

	private void start(Task task) {
		Thread thread = new Thread(() -> {
			try {
				task.run();
			}
			catch (IOException ex) {
				// closed, by one side or by the test
			}
		}, "zookeeper-proxy");
		thread.setDaemon(true);
		thread.start();
	}

	@Override
	public void close() throws IOException {
		this.listener.close();
		for (Socket socket : this.sockets) {
			socket.close();
		}
	}

	private static byte[] readFrame(DataInputStream in) throws IOException {
		int length = in.readInt();
		byte[] frame = new byte[Integer.BYTES + length];
		ByteBuffer.wrap(frame).putInt(length);
		in.readFully(frame, Integer.BYTES, length);
		return frame;
	}

	private static int number(byte[] frame) {
		return ByteBuffer.wrap(frame).getInt(Integer.BYTES);
	}

	/**
	 * An action of another process.
	 */
	interface Action {

		void run() throws Exception;

	}

	private interface Task {

		void run() throws IOException;

	}

	private record Interruption(int type, AtomicInteger countdown, Action action) {

		void run(int type) throws IOException {
			if (type == this.type && this.countdown.decrementAndGet() == 0) {
				try {
					this.action.run();
				}
				catch (Exception ex) {
					// this ends the connection
					throw new IOException(ex);
				}
			}
		}

	}

	private final class Link {

		private final Socket client;

		private final Socket server;

		Link(Socket client, Socket server) {
			this.client = client;
			this.server = server;
		}

		void passRequests() throws IOException {
			DataInputStream in = new DataInputStream(this.client.getInputStream());
			byte[] connect = readFrame(in);
			if (!ZooKeeperProxy.this.silent) {
				this.server.getOutputStream().write(connect);
			}
			while (true) {
				byte[] frame = readFrame(in);
				int type = ByteBuffer.wrap(frame).getInt(2 * Integer.BYTES);
				ZooKeeperProxy.this.requests.add(type);
				ZooKeeperProxy.this.interruption.run(type);
				if (type == ZooKeeperProxy.this.losing) {
					ZooKeeperProxy.this.losing = 0;
					ZooKeeperProxy.this.lost = number(frame);
				}
				if (!ZooKeeperProxy.this.silent) {
					this.server.getOutputStream().write(frame);
				}
			}
		}

		void passAnswers() throws IOException {
			DataInputStream in = new DataInputStream(this.server.getInputStream());
			ScheduledExecutorService delayed = Executors.newSingleThreadScheduledExecutor();
			try {
				pass(readFrame(in), delayed);
				while (true) {
					byte[] frame = readFrame(in);
					if (ZooKeeperProxy.this.lost != 0 && number(frame) == ZooKeeperProxy.this.lost) {
						ZooKeeperProxy.this.lost = 0;
						return;
					}
					pass(frame, delayed);
				}
			}
			finally {
				delayed.shutdownNow();
				this.client.close();
				this.server.close();
			}
		}

		private void pass(byte[] frame, ScheduledExecutorService delayed) {
			if (ZooKeeperProxy.this.silent) {
				return;
			}
			delayed.schedule(() -> {
				this.client.getOutputStream().write(frame);
				return frame;
			}, ZooKeeperProxy.this.latencyMillis, TimeUnit.MILLISECONDS);
		}

	}

}
