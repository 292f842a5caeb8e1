// SPDX-License-Identifier: Apache-2.0

package io.leaf.it.faults;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

import io.leaf.it.faults.FaultPlan.Fault;
import io.leaf.it.faults.FaultPlan.Round;
import io.leaf.it.faults.FaultPlan.Track;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Injects faults, and measures how long callers are not served: the longest time between
 * two served calls, from the beginning of the fault until full recovery; the time from
 * the end of the fault until every caller that it may block has been served, which is
 * almost zero if callers are served from memory; and the time from the end of the fault
 * until each of these callers has got something new from its store, a segment or a later
 * horizon.
 */
final class FaultRunner implements AutoCloseable {

	/** The longest time until full recovery, including the start of a JVM. */
	static final Duration BACK_WITHIN = Duration.ofSeconds(60);

	private static final Logger logger = LoggerFactory.getLogger(FaultRunner.class);

	private final FaultReport report;

	private final AtomicInteger failedStarts = new AtomicInteger();

	private final ExecutorService executor = Executors.newCachedThreadPool();

	private final ServiceWatch watch;

	/**
	 * Creates a runner, and starts to watch the callers.
	 */
	FaultRunner(List<CallerStream> streams, FaultReport report) {
		this.watch = new ServiceWatch(streams);
		this.report = report;
	}

	/**
	 * Injects the faults of a round.
	 */
	void run(Round round) throws Exception {
		List<Future<?>> results = new ArrayList<>();
		for (Track track : round.tracks()) {
			results.add(this.executor.submit(() -> {
				for (Fault fault : track.faults()) {
					run(fault);
				}
				return null;
			}));
		}
		for (Future<?> result : results) {
			result.get();
		}
	}

	private void run(Fault fault) throws Exception {
		hold(fault.delay());
		fault.hits().forEach(CallerStream::forgetGaps);
		long begin = System.nanoTime();
		fault.begin().run();
		hold(fault.length());
		List<Recovery> recoveries = fault.hits().stream().map(Recovery::new).toList();
		fault.end().run();
		long end = System.nanoTime();
		await().atMost(BACK_WITHIN).until(() -> {
			long now = System.nanoTime();
			boolean all = true;
			for (Recovery recovery : recoveries) {
				if (recovery.stream.slot().restartIfItDidNotStart()) {
					this.failedStarts.incrementAndGet();
				}
				all &= recovery.look(now);
			}
			return all;
		});
		Duration gap = Duration.ZERO;
		long served = end;
		long confirmed = end;
		for (Recovery recovery : recoveries) {
			gap = (gap.compareTo(recovery.stream.longestGap()) < 0) ? recovery.stream.longestGap() : gap;
			served = Math.max(served, recovery.servedAt);
			confirmed = Math.max(confirmed, recovery.confirmedAt);
		}
		FaultReport.Measurement measurement = new FaultReport.Measurement(Duration.ofNanos(end - begin), gap,
				Duration.ofNanos(served - end), Duration.ofNanos(confirmed - end));
		this.report.add(fault.kind(), measurement);
		logger.info("{}: {}", fault.kind(), measurement);
	}

	int failedStarts() {
		return this.failedStarts.get();
	}

	static void hold(Duration length) {
		long begin = System.nanoTime();
		await().atMost(length.plusMinutes(1)).until(() -> System.nanoTime() - begin >= length.toNanos());
	}

	private static ConditionFactory await() {
		return Awaitility.await().pollDelay(Duration.ZERO).pollInterval(Duration.ofMillis(5));
	}

	@Override
	public void close() {
		this.executor.shutdownNow();
		this.watch.close();
	}

	private static final class Recovery {

		private final CallerStream stream;

		private final long served;

		private final long confirmed;

		private long servedAt;

		private long confirmedAt;

		/** Records the state before the fault ends. */
		Recovery(CallerStream stream) {
			this.stream = stream;
			this.served = stream.served();
			this.confirmed = stream.confirmed();
		}

		boolean look(long now) {
			if (this.servedAt == 0 && this.stream.served() > this.served) {
				this.servedAt = now;
			}
			long confirmed = this.stream.confirmed();
			if (this.confirmedAt == 0 && confirmed != 0 && confirmed != this.confirmed) {
				this.confirmedAt = now;
			}
			return this.servedAt != 0 && this.confirmedAt != 0;
		}

		@Override
		public String toString() {
			return this.stream + ((this.servedAt != 0) ? " served" : " not served")
					+ ((this.confirmedAt != 0) ? ", confirmed" : ", nothing new");
		}

	}

}
