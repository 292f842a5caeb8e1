// SPDX-License-Identifier: Apache-2.0

package io.leaf.server.console;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;

import io.leaf.actuate.LeafEndpoint.Report;

/**
 * Somebody who watches the live page.
 */
final class Viewer {

	private final Connection connection;

	private final AtomicBoolean ready = new AtomicBoolean(true);

	private volatile Report seen;

	private volatile boolean ended;

	Viewer(Connection connection) {
		this.connection = connection;
	}

	/**
	 * Returns whether what was handed over last has been taken.
	 */
	boolean isReady() {
		return this.ready.get();
	}

	/**
	 * Returns the report that was handed over last, or {@code null} before the first.
	 */
	Report seen() {
		return this.seen;
	}

	/**
	 * Prepares to hand a report over, and is not ready until that is done.
	 * @param report the report
	 * @param text what has changed in it, as an event
	 * @param gone what to do if the viewer has gone
	 * @return what hands it over and may block meanwhile
	 */
	Runnable handing(Report report, String text, Runnable gone) {
		this.ready.set(false);
		return () -> {
			try {
				this.connection.send(text);
				this.seen = report;
				this.ready.set(true);
				if (this.ended) {
					end();
				}
			}
			catch (IOException | IllegalStateException ex) {
				// the container ends the request; who has gone needs no answer
				gone.run();
			}
		};
	}

	/**
	 * Takes {@link #handing} back.
	 */
	void notHanded() {
		this.ready.set(true);
	}

	/**
	 * Ends the connection, once it has taken what it was handed.
	 */
	void end() {
		this.ended = true;
		if (this.ready.compareAndSet(true, false)) {
			this.connection.end();
		}
	}

	/**
	 * What leads to the viewer.
	 */
	interface Connection {

		/**
		 * Sends an event, and waits until the connection has taken it.
		 * @param event the event
		 * @throws IOException if the viewer has gone
		 * @throws IllegalStateException if the connection has ended
		 */
		void send(String event) throws IOException;

		/**
		 * Ends the connection.
		 */
		void end();

	}

}
