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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.context.SmartLifecycle;

/**
 * Takes a report once a second while anybody watches, and hands each viewer what has
 * changed since the last one that it got.
 * <p>
 * Nothing piles up for a viewer that is slow: until it has taken what it was handed, it
 * is handed nothing more, and then everything that has changed meanwhile at once. When
 * its connection fails, or takes nothing for so long that the server gives it up, it is
 * forgotten. Safe for use by any number of threads.
 */
final class ReportStream implements SmartLifecycle, AutoCloseable {

	/**
	 * The largest number of viewers.
	 */
	static final int MAX_VIEWERS = 50;

	private static final Logger logger = LoggerFactory.getLogger(ReportStream.class);

	private final Supplier<Report> reports;

	private final ScheduledExecutorService scheduler;

	private final ExecutorService senders;

	private final Clock clock;

	private final List<Viewer> viewers = new ArrayList<>();

	private ScheduledFuture<?> schedule;

	private boolean running;

	/**
	 * Creates the stream.
	 * @param reports takes a report
	 * @param scheduler where reports are taken
	 * @param senders where viewers are waited for, with a thread for each of them; may
	 * reject what there is no thread for
	 * @param clock tells when a report was taken
	 */
	ReportStream(Supplier<Report> reports, ScheduledExecutorService scheduler, ExecutorService senders, Clock clock) {
		this.reports = reports;
		this.scheduler = scheduler;
		this.senders = senders;
		this.clock = clock;
	}

	/**
	 * Lets somebody watch.
	 * @param viewer who wants to watch
	 * @throws TooManyViewersException if {@link #MAX_VIEWERS} watch already, or the
	 * server is stopping
	 */
	synchronized void join(Viewer viewer) {
		if (!this.running || this.viewers.size() >= MAX_VIEWERS) {
			throw new TooManyViewersException();
		}
		this.viewers.add(viewer);
		if (this.schedule == null) {
			this.schedule = this.scheduler.scheduleWithFixedDelay(this::report, 0, 1, TimeUnit.SECONDS);
		}
	}

	/**
	 * Forgets a viewer.
	 * @param viewer who has gone
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
			Instant time = this.clock.instant().truncatedTo(ChronoUnit.MILLIS);
			// most viewers have seen the same report last
			Map<Report, String> texts = new IdentityHashMap<>();
			for (Viewer viewer : viewers()) {
				if (viewer.isReady()) {
					hand(viewer, report, texts.computeIfAbsent(viewer.seen(), (seen) -> (seen != null)
							? ReportJson.changes(time, seen, report) : ReportJson.whole(time, report)));
				}
			}
		}
		catch (RuntimeException ex) {
			// else no further report would be taken
			logger.warn("The viewers of the live page got no report", ex);
		}
	}

	private void hand(Viewer viewer, Report report, String text) {
		try {
			this.senders.execute(viewer.handing(report, text, () -> leave(viewer)));
		}
		catch (RejectedExecutionException ex) {
			viewer.notHanded();
		}
	}

	@Override
	public synchronized void start() {
		this.running = true;
	}

	/**
	 * Ends all connections, for which a server that stops would wait otherwise.
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

}
