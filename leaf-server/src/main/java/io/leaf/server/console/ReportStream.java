// SPDX-License-Identifier: Apache-2.0

package io.leaf.server.console;

import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import io.leaf.actuate.LeafEndpoint.Report;
import io.leaf.server.ClientActivity;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.context.SmartLifecycle;

/**
 * Takes a report once per second while there are viewers, and sends each viewer the
 * changes since the last report that the viewer received.
 * <p>
 * No events are queued for a slow viewer. The next event is sent only after the viewer
 * has received the previous one, and contains all changes since then. A viewer is removed
 * when its connection fails, or when the server closes the connection because the viewer
 * has accepted no data for too long. Safe for use by any number of threads.
 */
final class ReportStream implements SmartLifecycle, AutoCloseable {

	/**
	 * The maximum number of viewers.
	 */
	static final int MAX_VIEWERS = 50;

	private static final Logger logger = LoggerFactory.getLogger(ReportStream.class);

	private final Supplier<Report> reports;

	private final Supplier<ClientActivity.Report> clients;

	private final ScheduledExecutorService scheduler;

	private final ExecutorService senders;

	private final Clock clock;

	private final List<Viewer> viewers = new ArrayList<>();

	private ScheduledFuture<?> schedule;

	private boolean running;

	/**
	 * Creates the stream.
	 * @param reports supplies a report
	 * @param clients supplies the activity of clients
	 * @param scheduler the executor that requests a report once per second
	 * @param senders the executor that sends the events. Because sending blocks until the
	 * connection has accepted the event, the executor needs one thread per viewer. It may
	 * reject a task if all threads are busy: a later event then contains the changes
	 * @param clock the clock for the times of the reports
	 */
	ReportStream(Supplier<Report> reports, Supplier<ClientActivity.Report> clients, ScheduledExecutorService scheduler,
			ExecutorService senders, Clock clock) {
		this.reports = reports;
		this.clients = clients;
		this.scheduler = scheduler;
		this.senders = senders;
		this.clock = clock;
	}

	/**
	 * Adds a viewer.
	 * @param viewer the viewer
	 * @throws ViewerRefusedException if there are {@link #MAX_VIEWERS} viewers already,
	 * or the server is stopping
	 */
	synchronized void join(Viewer viewer) {
		if (!this.running) {
			throw new ViewerRefusedException("The server is stopping");
		}
		if (this.viewers.size() >= MAX_VIEWERS) {
			throw new ViewerRefusedException(
					"%d browsers already show this page. Close the page in one of them, or use /actuator/leaf"
						.formatted(MAX_VIEWERS));
		}
		this.viewers.add(viewer);
		if (this.schedule == null) {
			this.schedule = this.scheduler.scheduleWithFixedDelay(this::report, 0, 1, TimeUnit.SECONDS);
		}
	}

	/**
	 * Removes a viewer.
	 * @param viewer the viewer, which has disconnected or is about to be disconnected
	 */
	synchronized void leave(Viewer viewer) {
		this.viewers.remove(viewer);
		if (this.viewers.isEmpty() && this.schedule != null) {
			this.schedule.cancel(false);
			this.schedule = null;
		}
	}

	/**
	 * Returns how many viewers there are.
	 */
	synchronized int watching() {
		return this.viewers.size();
	}

	private synchronized List<Viewer> viewers() {
		return List.copyOf(this.viewers);
	}

	private void report() {
		try {
			Report report = this.reports.get();
			ClientActivity.Report activity = this.clients.get();
			Instant time = this.clock.instant().truncatedTo(ChronoUnit.MILLIS);
			// viewers that last received the same report, as most have, get the same
			// text, which is written only once
			Map<Report, String> texts = new IdentityHashMap<>();
			for (Viewer viewer : viewers()) {
				if (viewer.isReady()) {
					send(viewer, report,
							texts.computeIfAbsent(viewer.seen(),
									(seen) -> (seen != null) ? ReportJson.changes(time, seen, report, activity)
											: ReportJson.whole(time, report, activity)));
				}
			}
		}
		catch (RuntimeException ex) {
			// caught, because an exception would cancel the schedule
			logger.warn("The viewers of the live page received no report", ex);
		}
	}

	private void send(Viewer viewer, Report report, String text) {
		try {
			this.senders.execute(viewer.sending(report, text, () -> leave(viewer)));
		}
		catch (RejectedExecutionException ex) {
			viewer.notSent();
		}
	}

	@Override
	public synchronized void start() {
		this.running = true;
	}

	/**
	 * Ends all connections, because the server would otherwise wait for them before it
	 * stops.
	 */
	@Override
	public void stop() {
		synchronized (this) {
			this.running = false;
		}
		for (Viewer viewer : viewers()) {
			leave(viewer);
			viewer.end();
		}
	}

	@Override
	public synchronized boolean isRunning() {
		return this.running;
	}

	@Override
	public void close() {
		this.scheduler.shutdownNow();
		this.senders.shutdownNow();
	}

	/**
	 * Thrown when a viewer is not added. The message says why.
	 */
	static final class ViewerRefusedException extends RuntimeException {

		private static final long serialVersionUID = 1L;

		ViewerRefusedException(String message) {
			super(message);
		}

	}

}
