/*
 * Copyright 2026 the Leaf project authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *      https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */

package io.leaf.it.faults;

import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * Looks every few milliseconds whether calls are served. What it says of gaps is exact to
 * that.
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
