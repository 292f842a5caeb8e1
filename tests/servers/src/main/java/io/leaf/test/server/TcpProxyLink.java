// SPDX-License-Identifier: Apache-2.0

package io.leaf.test.server;

import java.io.IOException;
import java.net.Socket;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * A client's connection through a {@link TcpProxy}. For each direction, one thread reads
 * and another one writes. A queue between them holds the data in transit.
 */
final class TcpProxyLink {

	private static final int CHUNK = 16 * 1024;

	/** If this much data is in transit, the sender has to wait, as on a real network. */
	private static final int CHUNKS_IN_TRANSIT = 4096;

	private final TcpProxy proxy;

	private final Socket client;

	private final Socket server;

	private final List<Thread> threads = new CopyOnWriteArrayList<>();

	private final AtomicInteger openDirections = new AtomicInteger(2);

	private volatile boolean closed;

	TcpProxyLink(TcpProxy proxy, Socket client, Socket server) {
		this.proxy = proxy;
		this.client = client;
		this.server = server;
	}

	void start() {
		start("requests", this.client, this.server, false);
		start("answers", this.server, this.client, true);
		if (this.closed) {
			close();
		}
	}

	private void start(String name, Socket from, Socket to, boolean answers) {
		BlockingQueue<Chunk> inTransit = new LinkedBlockingQueue<>(CHUNKS_IN_TRANSIT);
		String task = this.client.getPort() + "-" + name;
		this.threads.add(this.proxy.startThread(task + "-read", () -> closeUnlessDone(() -> read(from, inTransit))));
		this.threads
			.add(this.proxy.startThread(task + "-write", () -> closeUnlessDone(() -> write(inTransit, to, answers))));
	}

	private void closeUnlessDone(Transfer transfer) {
		try {
			transfer.run();
		}
		catch (IOException | InterruptedException ex) {
			// one side has disconnected, or the proxy closes the connection: close both
			// sides
			close();
		}
	}

	private void read(Socket from, BlockingQueue<Chunk> inTransit) throws IOException, InterruptedException {
		byte[] buffer = new byte[CHUNK];
		int length;
		do {
			length = from.getInputStream().read(buffer);
			byte[] bytes = Arrays.copyOf(buffer, Math.max(0, length));
			inTransit.put(new Chunk(bytes, System.nanoTime() + this.proxy.latencyNanos()));
		}
		while (length >= 0);
	}

	private void write(BlockingQueue<Chunk> inTransit, Socket to, boolean answers)
			throws IOException, InterruptedException {
		while (true) {
			Chunk chunk = inTransit.take();
			await(chunk.arrival());
			if (this.proxy.awaitPassage(answers)) {
				close();
				return;
			}
			if (chunk.isEnd()) {
				to.shutdownOutput();
				if (this.openDirections.decrementAndGet() == 0) {
					close();
				}
				return;
			}
			to.getOutputStream().write(chunk.bytes());
		}
	}

	// not Thread.sleep, which rounds to whole milliseconds on JDK 17
	private static void await(long arrival) throws InterruptedException {
		for (long left = arrival - System.nanoTime(); left > 0; left = arrival - System.nanoTime()) {
			LockSupport.parkNanos(left);
			if (Thread.interrupted()) {
				throw new InterruptedException();
			}
		}
	}

	/**
	 * Closes both sides in such a way that they see a reset.
	 */
	void reset() {
		for (Socket socket : List.of(this.client, this.server)) {
			try {
				socket.setSoLinger(true, 0);
			}
			catch (IOException ex) {
				// the other end has already closed the connection
			}
		}
		close();
	}

	void close() {
		this.closed = true;
		this.proxy.remove(this);
		for (Socket socket : List.of(this.client, this.server)) {
			try {
				socket.close();
			}
			catch (IOException ex) {
				// the socket is closed anyway
			}
		}
		this.threads.forEach(Thread::interrupt);
	}

	/**
	 * The data of one read.
	 *
	 * @param bytes the data; empty at the end of the stream
	 * @param arrival when the data arrives, according to {@link System#nanoTime()}
	 */
	private record Chunk(byte[] bytes, long arrival) {

		boolean isEnd() {
			return this.bytes.length == 0;
		}

	}

	private interface Transfer {

		void run() throws IOException, InterruptedException;

	}

}
