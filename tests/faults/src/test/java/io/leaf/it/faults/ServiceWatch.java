// SPDX-License-Identifier: Apache-2.0

package io.leaf.it.faults;

import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * Checks every few milliseconds whether calls are served. The reported gaps are accurate
 * to this interval.
 */
final class ServiceWatch implements AutoCloseable {

	private static final long INTERVAL_NANOS = 5_000_000;

	private final List<CallerStream> streams;

	private final Thread thread = new Thread(this::watch, "service-watch");

	private volatile boolean closed;

	ServiceWatch(List<CallerStream> streams) {
		this.streams = streams;
		this.thread.setDaemon(true);
		this.thread.start();
	}

	private void watch() {
		while (!this.closed) {
			this.streams.forEach(CallerStream::sample);
			LockSupport.parkNanos(INTERVAL_NANOS);
		}
	}

	@Override
	public void close() {
		this.closed = true;
	}

}
