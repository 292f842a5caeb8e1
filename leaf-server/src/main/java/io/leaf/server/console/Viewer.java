// SPDX-License-Identifier: Apache-2.0

package io.leaf.server.console;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;

import io.leaf.actuate.LeafEndpoint.Report;

/**
 * A browser that shows the live page.
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
	 * Returns whether an event can be sent. While another event is being sent, none can
	 * be sent.
	 */
	boolean isReady() {
		return this.ready.get();
	}

	/**
	 * Returns the report that was sent last, or {@code null} if no report was sent.
	 */
	Report seen() {
		return this.seen;
	}

	/**
	 * Returns a task that sends a report. The viewer is not ready until the task has sent
	 * the report.
	 * @param report the report
	 * @param text the event, which contains the changes since the report that was sent
	 * last, or the whole report if no report was sent
	 * @param gone called if the viewer has disconnected
	 * @return the task, which blocks until the connection has accepted the event
	 */
	Runnable sending(Report report, String text, Runnable gone) {
		this.ready.set(false);
		return () -> {
			try {
				this.connection.send(text);
				this.seen = report;
				becomeReady();
			}
			catch (IOException | IllegalStateException ex) {
				// end() is not called, because the servlet container itself ends the
				// request of a viewer that has disconnected
				gone.run();
			}
		};
	}

	/**
	 * Makes the viewer ready again after a task of {@link #sending} was rejected.
	 */
	void notSent() {
		becomeReady();
	}

	private void becomeReady() {
		this.ready.set(true);
		if (this.ended) {
			end();
		}
	}

	/**
	 * Ends the connection. If an event is being sent, the connection ends after it has
	 * accepted the event.
	 */
	void end() {
		this.ended = true;
		if (this.ready.compareAndSet(true, false)) {
			this.connection.end();
		}
	}

	/**
	 * The connection to a viewer.
	 */
	interface Connection {

		/**
		 * Sends an event, and waits until the connection has accepted it.
		 * @param event the event
		 * @throws IOException if the viewer has disconnected
		 * @throws IllegalStateException if the connection was already ended, by
		 * {@link #end()} or by the servlet container
		 */
		void send(String event) throws IOException;

		/**
		 * Ends the connection.
		 */
		void end();

	}

}
