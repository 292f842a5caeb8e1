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
 * A client's connection through a {@link TcpProxy}. For each direction one thread reads
 * and another writes, with what is under way in a queue between them.
 */
final class TcpProxyLink {

	private static final int CHUNK = 16 * 1024;

	/** A sender has to wait when the network is full, as on a real one. */
	private static final int CHUNKS_UNDER_WAY = 4096;

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
		BlockingQueue<Chunk> underWay = new LinkedBlockingQueue<>(CHUNKS_UNDER_WAY);
		String task = this.client.getPort() + "-" + name;
		this.threads.add(this.proxy.startThread(task + "-read", () -> closeUnlessDone(() -> read(from, underWay))));
		this.threads
			.add(this.proxy.startThread(task + "-write", () -> closeUnlessDone(() -> write(underWay, to, answers))));
	}

	private void closeUnlessDone(Transfer transfer) {
		try {
			transfer.run();
		}
		catch (IOException | InterruptedException ex) {
			// one side has gone, or the proxy closes the connection: both sides shall see
			// it
			close();
		}
	}

	private void read(Socket from, BlockingQueue<Chunk> underWay) throws IOException, InterruptedException {
		byte[] buffer = new byte[CHUNK];
		int length;
		do {
			length = from.getInputStream().read(buffer);
			byte[] bytes = Arrays.copyOf(buffer, Math.max(0, length));
			underWay.put(new Chunk(bytes, System.nanoTime() + this.proxy.latencyNanos()));
		}
		while (length >= 0);
	}

	private void write(BlockingQueue<Chunk> underWay, Socket to, boolean answers)
			throws IOException, InterruptedException {
		while (true) {
			Chunk chunk = underWay.take();
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

	// not Thread.sleep, which takes whole milliseconds on JDK 17
	private static void await(long arrival) throws InterruptedException {
		for (long left = arrival - System.nanoTime(); left > 0; left = arrival - System.nanoTime()) {
			LockSupport.parkNanos(left);
			if (Thread.interrupted()) {
				throw new InterruptedException();
			}
		}
	}

	/**
	 * Closes both sides without a word, such that they see a reset.
	 */
	void reset() {
		for (Socket socket : List.of(this.client, this.server)) {
			try {
				socket.setSoLinger(true, 0);
			}
			catch (IOException ex) {
				// closed by its other end already
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
				// closed is what it shall be
			}
		}
		this.threads.forEach(Thread::interrupt);
	}

	/**
	 * What was read at once.
	 *
	 * @param bytes what was read; nothing at the end of the stream
	 * @param arrival when it arrives, by {@link System#nanoTime()}
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
