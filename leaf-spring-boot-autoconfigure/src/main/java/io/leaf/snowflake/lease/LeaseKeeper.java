// SPDX-License-Identifier: Apache-2.0

package io.leaf.snowflake.lease;

import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

import io.leaf.IdGenerationException;
import io.leaf.snowflake.SnowflakeLanes;
import io.leaf.snowflake.lease.LeasedLanes.LeasedLane;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the leases of a process: takes the first at start, renews them, exchanges one
 * that was lost, takes further ones on demand, and gives them back when they are not
 * needed any more, or at the end.
 * <p>
 * Two threads share the work. The <em>store thread</em> talks to the store, which may
 * take long ({@link LeaseRenewal}); it owns the {@linkplain HeldLease claims}. The
 * <em>local thread</em> looks at the clock once a second, moves the
 * {@linkplain Reservation reservation} on, and is the only one that changes lanes
 * ({@link LeasedLanes}); it never waits for the store. They meet in three places: the
 * store thread publishes a confirmed horizon in the claim, where the local thread finds
 * it; it hands a new claim over as a task; and the local thread publishes the list of
 * leased lanes, where the store thread finds what to renew.
 * <p>
 * A lane never passes the horizon that the store has confirmed for its own claim nor,
 * where that claim is remembered, the reservation that is on disk. All else is a matter
 * of staying available.
 */
public final class LeaseKeeper implements AutoCloseable {

	private static final Duration TICK = Duration.ofSeconds(1);

	/**
	 * How often the worker IDs that are taken are counted. Seldom: a thousand processes
	 * read a thousand registers each.
	 */
	private static final Duration SURVEY = Duration.ofMinutes(10);

	private final WorkerLeaseStore store;

	private final SnowflakeLanes lanes;

	private final LeaseSettings settings;

	private final LeaseThreads threads;

	private final RandomGenerator random;

	private final LeaseClaims claims;

	private final Reservation reservation;

	private final LeasedLanes leasedLanes;

	private final LeaseRenewal renewal;

	private final AtomicBoolean closed = new AtomicBoolean();

	private int timesAhead;

	/**
	 * Creates a keeper with threads of its own.
	 * @param store where the leases are; the keeper opens and closes it
	 * @param memory where the first lease is remembered for a restart while the store is
	 * away, or {@code null} to do without; the keeper opens and closes it
	 * @param lanes what the leases are for
	 * @param settings how to keep them
	 */
	public LeaseKeeper(WorkerLeaseStore store, @Nullable LeaseMemory memory, SnowflakeLanes lanes,
			LeaseSettings settings) {
		this(store, memory, lanes, settings, LeaseThreads.system(), random(new SecureRandom(), System::nanoTime));
	}

	/**
	 * Returns random numbers that differ from those of a copy of this process, such as a
	 * machine that was cloned: a copy goes on drawing the same ones, but not in the same
	 * nanoseconds.
	 */
	static RandomGenerator random(RandomGenerator copied, LongSupplier nanoTime) {
		return () -> copied.nextLong() ^ nanoTime.getAsLong();
	}

	LeaseKeeper(WorkerLeaseStore store, @Nullable LeaseMemory memory, SnowflakeLanes lanes, LeaseSettings settings,
			LeaseThreads threads, RandomGenerator random) {
		this.store = store;
		this.lanes = lanes;
		this.settings = settings;
		this.threads = threads;
		this.random = random;
		this.claims = new LeaseClaims(store, settings, lanes.clock()::wallMillis, random);
		this.reservation = new Reservation(memory);
		this.leasedLanes = new LeasedLanes(lanes, this.reservation, this::renewSoon);
		this.renewal = new LeaseRenewal(store, settings, this.claims, lanes, this.reservation, this.leasedLanes,
				threads);
	}

	private void renewSoon() {
		this.threads.onStore(this.renewal::renew);
	}

	/**
	 * Takes a worker ID, and keeps it from then on. If the store is unreachable, goes on
	 * with the claim of an earlier process on this machine.
	 * @throws WorkerLeaseStoreException if the store refuses
	 * @throws io.leaf.WorkerIdUnavailableException if no worker ID is free, or if the
	 * store cannot be reached and there is no claim to go on with
	 * @throws io.leaf.ClockDriftException if this machine's clock is too far off. The
	 * keeper is closed wherever it throws
	 */
	public void start() {
		try {
			this.reservation.open(this.lanes.settings().layout(), this.store);
			LeaseStart start = new LeaseStart(this.store, this.settings, this.claims, this.reservation, this.lanes,
					this.threads, this.random);
			this.leasedLanes.begin(start.lease());
			this.renewal.begin(start.failure());
		}
		catch (RuntimeException ex) {
			this.closed.set(true);
			this.threads.stopLocal();
			this.threads.stopStore();
			this.reservation.close();
			this.store.close();
			throw ex;
		}
		this.threads.repeatOnLocal(TICK, this::tick);
		this.threads.repeatOnStore(this.settings.reportInterval(), this.renewal::renew);
		this.threads.repeatOnStore(SURVEY, this.renewal::survey);
		this.store.whenBack(this::renewSoon);
	}

	private void tick() {
		this.timesAhead = this.lanes.clock().follow() ? 0 : this.timesAhead + 1;
		if (this.timesAhead > 0) {
			this.renewal.requestClock(this.timesAhead);
		}
		this.leasedLanes.extend();
		boolean demand = this.lanes.takeDemand();
		if (demand && this.leasedLanes.all().size() < this.lanes.settings().maxLanes()) {
			this.renewal.requestFurther();
		}
		LeasedLane retired = this.leasedLanes.retire(demand, this.settings.window());
		if (retired != null) {
			this.renewal.giveBack(retired);
		}
	}

	/**
	 * Returns how the leases are doing. Reads memory only.
	 * @return their status
	 */
	public Status status() {
		List<Long> workerIds = new ArrayList<>();
		long horizon = Long.MAX_VALUE;
		for (LeasedLane leased : this.leasedLanes.all()) {
			workerIds.add(leased.lease().workerId());
			horizon = Math.min(horizon, leased.lease().horizon());
		}
		Throwable failure = this.renewal.failure();
		IdGenerationException problem = this.reservation.problem();
		return new Status(workerIds, this.store.source(), workerIds.isEmpty() ? null : Instant.ofEpochMilli(horizon),
				(failure != null) ? failure.getMessage() : null, this.renewal.failures(), free(),
				this.settings.window(), (problem != null) ? problem.getMessage() : null);
	}

	private @Nullable Long free() {
		Long taken = this.claims.taken();
		if (taken == null || !this.store.isShared()) {
			return null;
		}
		return this.lanes.settings().layout().maxWorkerId() + 1 - this.store.firstWorkerId() - taken;
	}

	/**
	 * Stops issuing, and gives the worker IDs back. What cannot be given back within a
	 * few seconds stays reserved until its horizon; if the store is unavailable, a
	 * restart of this process goes on with it. Later calls have no effect.
	 */
	@Override
	public void close() {
		if (!this.closed.compareAndSet(false, true)) {
			return;
		}
		this.lanes.stop();
		boolean storeIsQuiet = this.threads.stopStore();
		boolean localIsQuiet = this.threads.stopLocal();
		try {
			if (storeIsQuiet && localIsQuiet) {
				// what the local thread has added meanwhile
				this.lanes.stop();
				this.renewal.releaseAll();
			}
		}
		finally {
			if (localIsQuiet) {
				// else another process could use it, and a write come in between
				this.reservation.close();
			}
			this.store.close();
		}
	}

	/**
	 * How the leases of a process are doing.
	 *
	 * @param workerIds the worker IDs that IDs are issued with
	 * @param source which kind of store they come from
	 * @param horizon until when IDs can be issued if the store stays away, or
	 * {@code null} if there is no lease
	 * @param lastError why the last renewal had no success, or {@code null} if it had
	 * @param failures how many renewals had no success
	 * @param free how many worker IDs no process holds, as seen when all were read last:
	 * every ten minutes and at each claim; {@code null} before that, and for a source
	 * that knows one worker ID only
	 * @param window how far a lease reaches when it has just been renewed
	 * @param memoryError why the process could not go on after a restart while the store
	 * is unavailable, or {@code null} if it could
	 */
	public record Status(List<Long> workerIds, String source, @Nullable Instant horizon, @Nullable String lastError,
			long failures, @Nullable Long free, Duration window, @Nullable String memoryError) {

	}

}
