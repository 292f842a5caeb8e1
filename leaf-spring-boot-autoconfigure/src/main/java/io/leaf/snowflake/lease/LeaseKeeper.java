// SPDX-License-Identifier: Apache-2.0

package io.leaf.snowflake.lease;

import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

import io.leaf.IdGenerationException;
import io.leaf.WorkerIdUnavailableException;
import io.leaf.snowflake.SnowflakeLanes;
import io.leaf.snowflake.SnowflakeLayout;
import io.leaf.snowflake.lease.LeasedLanes.LeasedLane;
import io.leaf.snowflake.lease.SavedLeaseStore.SavedLease;
import io.leaf.support.FailureText;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the leases of a process. It takes the first lease at startup, renews all leases,
 * replaces lost leases, takes further leases on demand, and releases leases that are no
 * longer needed.
 * <p>
 * If the store can be reached at startup, the process makes a new claim, even if its
 * state file holds a lease. If the connection is lost during the claim, the claim is
 * repeated. The process resumes the lease in its state file only if the store cannot be
 * reached. If the store {@linkplain WorkerLeaseStoreException#isRefusal() refuses} the
 * process, startup fails.
 * <p>
 * Two threads share the work. The <em>store thread</em> sends the requests to the store,
 * which may take long, and owns the {@linkplain HeldLease claims} ({@link LeaseRenewal}).
 * The <em>local thread</em> never waits for the store. It reads the clock once per second
 * and extends the {@linkplain Reservation reservation}, and it is the only thread that
 * adds, extends and replaces lanes ({@link LeasedLanes}). The threads interact in four
 * ways:
 * <ul>
 * <li>The store thread publishes a confirmed horizon in the claim, and the local thread
 * reads it there.</li>
 * <li>The store thread hands a new claim over to the local thread as a task.</li>
 * <li>The store thread seals the lane of a lost claim.</li>
 * <li>The local thread publishes the list of leased lanes, and the store thread renews
 * the leases of these lanes.</li>
 * </ul>
 * <p>
 * A lane never uses a timestamp beyond the horizon that the store has confirmed for the
 * claim of that lane. If the state file holds this claim, the lane does not use a
 * timestamp beyond the reservation on disk either. Uniqueness depends on these two
 * bounds, but not on how soon a lease is renewed or replaced, which affects only
 * availability.
 */
public final class LeaseKeeper implements AutoCloseable {

	private static final Logger logger = LoggerFactory.getLogger(LeaseKeeper.class);

	private static final Duration TICK = Duration.ofSeconds(1);

	// How often the taken worker IDs are counted. The interval is long because, in a
	// large installation, a thousand processes each read a thousand lease records.
	private static final Duration SURVEY = Duration.ofMinutes(10);

	private static final int CLAIM_ATTEMPTS = 4;

	// The longest pause between attempts to claim the first worker ID. Pauses are random,
	// so that processes that lost their connections at the same time do not try again at
	// the same time.
	private static final Duration MAX_PAUSE = Duration.ofSeconds(1);

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

	// the content of the state file at startup
	private @Nullable SavedLease saved;

	// whether the store has shown that the lease in the state file has ended
	private boolean savedHasEnded;

	/**
	 * Creates a keeper with threads of its own.
	 * @param store the store of the leases; the keeper opens and closes it
	 * @param savedLeases where the first lease is saved, so that the process can restart
	 * while the store is unavailable; {@code null} if no lease is to be saved. The keeper
	 * opens and closes this store
	 * @param lanes the lanes that the leases are for
	 * @param settings how to keep the leases
	 */
	public LeaseKeeper(WorkerLeaseStore store, @Nullable SavedLeaseStore savedLeases, SnowflakeLanes lanes,
			LeaseSettings settings) {
		this(store, savedLeases, lanes, settings, LeaseThreads.system(), random(new SecureRandom(), System::nanoTime));
	}

	/**
	 * Returns a source of random numbers that differ from the numbers of a copy of this
	 * process, for example in a cloned virtual machine. The copy draws the same numbers
	 * from {@code copied}, but combines them with other values of {@code nanoTime}.
	 */
	static RandomGenerator random(RandomGenerator copied, LongSupplier nanoTime) {
		return () -> copied.nextLong() ^ nanoTime.getAsLong();
	}

	LeaseKeeper(WorkerLeaseStore store, @Nullable SavedLeaseStore savedLeases, SnowflakeLanes lanes,
			LeaseSettings settings, LeaseThreads threads, RandomGenerator random) {
		this.store = store;
		this.lanes = lanes;
		this.settings = settings;
		this.threads = threads;
		this.random = random;
		this.claims = new LeaseClaims(store, settings, lanes.clock()::wallMillis, random);
		this.reservation = new Reservation(savedLeases);
		this.leasedLanes = new LeasedLanes(lanes, this.reservation, this::renewSoon);
		this.renewal = new LeaseRenewal(store, settings, this.claims, lanes, this.reservation, this.leasedLanes,
				threads);
	}

	private void renewSoon() {
		this.threads.onStore(this.renewal::renew);
	}

	/**
	 * Takes a worker ID and keeps its lease from then on. If the store cannot be reached,
	 * resumes the claim of an earlier process on this machine. If this method throws, the
	 * keeper is closed.
	 * @throws WorkerLeaseStoreException if the store
	 * {@linkplain WorkerLeaseStoreException#isRefusal() refuses} this process
	 * @throws WorkerIdUnavailableException if no worker ID is free, or if the store
	 * cannot be reached and there is no claim to resume
	 * @throws io.leaf.ClockDriftException if this machine's clock differs too much from
	 * the clocks of the other processes or of the store, or is too far behind the
	 * timestamps that were used before the restart
	 */
	public void start() {
		try {
			this.reservation.open(layout(), this.store);
			ClockCheck clockCheck = new ClockCheck(this.store, this.settings, this.lanes.clock(), this.random);
			WorkerLeaseStoreException failure = null;
			HeldLease lease;
			try {
				lease = claim(clockCheck);
			}
			catch (WorkerLeaseStoreException ex) {
				if (ex.isRefusal()) {
					throw ex;
				}
				failure = ex;
				lease = resume(clockCheck, ex);
			}
			logStart(lease);
			this.leasedLanes.begin(lease);
			this.renewal.begin(failure);
			LeaseThreads.repeat(this.threads.local(), TICK, this::tick);
			LeaseThreads.repeat(this.threads.store(), this.settings.reportInterval(), this.renewal::renew);
			LeaseThreads.repeat(this.threads.store(), SURVEY, this.renewal::survey);
			this.store.whenBack(this::renewSoon);
		}
		catch (Throwable ex) {
			close();
			throw ex;
		}
	}

	private HeldLease claim(ClockCheck clockCheck) {
		for (int attempt = 1;; attempt++) {
			this.store.open(layout());
			try {
				return claimOnce(clockCheck);
			}
			catch (WorkerLeaseStoreException ex) {
				if (ex.isRefusal() || attempt == CLAIM_ATTEMPTS) {
					throw ex;
				}
				logger.info("No worker ID was claimed; trying again: {}", ex.getMessage());
				this.threads.pause().accept(this.random.nextLong(MAX_PAUSE.toNanos()));
			}
		}
	}

	private HeldLease claimOnce(ClockCheck clockCheck) {
		// The clock check and the claim use the same lease records, which are read only
		// once. The claim names the version that was read, so a lease record that has
		// changed since then cannot be claimed.
		List<LeaseRecord> records = clockCheck.check();
		recall(records);
		HeldLease lease = this.claims.claim(records, now(), Set.of());
		this.lanes.clock().raiseTo(lease.floor() + 1);
		if (this.reservation.isActive() && this.reservation.begin(lease, now()) < 0) {
			keepReserved(lease);
			lease = this.claims.claim(now(), Set.of(lease.workerId()));
			this.lanes.clock().raiseTo(lease.floor() + 1);
		}
		return lease;
	}

	// Reads from the state file up to which timestamp the earlier process may have issued
	// IDs, because a store that went back to an earlier state does not know this
	// timestamp. Also finds out whether the saved lease has ended.
	private void recall(List<LeaseRecord> records) {
		SavedLease saved = load();
		if (saved == null) {
			return;
		}
		this.saved = saved;
		this.claims.used(saved.workerId(), saved.reservedUntil());
		Predicate<LeaseRecord> holdsSaved = (record) -> record.lease().owner().equals(saved.owner())
				&& record.lease().horizon() >= saved.horizon();
		if (!this.savedHasEnded && records.stream().noneMatch(holdsSaved)) {
			this.savedHasEnded = true;
			// The lease records may be out of date, so the record of the saved lease is
			// read again. If that fails, the saved lease is assumed to have ended.
			try {
				this.savedHasEnded = Stream.ofNullable(this.store.read(saved.workerId())).noneMatch(holdsSaved);
			}
			catch (IdGenerationException ex) {
				logger.debug("The saved lease could not be compared with the store", ex);
			}
		}
	}

	private @Nullable SavedLease load() {
		try {
			return this.reservation.isActive() ? this.reservation.load() : null;
		}
		catch (IdGenerationException ex) {
			logger.info("The saved lease of an earlier process is not used: {}", ex.getMessage());
			return null;
		}
	}

	// Called if the given claim could not be saved. The state file may then hold either
	// the given claim or the claim that it held at startup. A process that resumes one of
	// these claims from the file may use all timestamps up to the horizon of the claim.
	// For both claims, these timestamps are therefore recorded as used.
	private void keepReserved(HeldLease lease) {
		long horizon = lease.horizon();
		SavedLease before = this.saved;
		if (before != null && before.workerId() == lease.workerId()) {
			horizon = Math.max(horizon, before.horizon());
		}
		else if (before != null) {
			this.claims.used(before.workerId(), before.horizon());
		}
		this.claims.used(lease.workerId(), horizon);
	}

	private HeldLease resume(ClockCheck clockCheck, WorkerLeaseStoreException failure) {
		SavedLease saved;
		try {
			saved = this.reservation.load();
		}
		catch (IdGenerationException ex) {
			failure.addSuppressed(ex);
			throw unavailable(failure, "its state file cannot be used: " + ex.getMessage());
		}
		if (saved == null) {
			throw unavailable(failure, "no lease is saved");
		}
		if (this.savedHasEnded) {
			throw unavailable(failure, "the saved lease, on worker ID %d, could not be confirmed in the store"
				.formatted(saved.workerId()));
		}
		clockCheck.checkSaved(saved.reservedUntil() - Reservation.LENGTH.toMillis());
		if (Math.max(now(), saved.reservedUntil() + 1) > saved.horizon()) {
			throw unavailable(failure, "the saved lease, on worker ID %d, ended at %s".formatted(saved.workerId(),
					Instant.ofEpochMilli(saved.horizon())));
		}
		HeldLease lease = HeldLease.resume(this.store, this.lanes.clock()::wallMillis, this.random, saved,
				this.settings.host());
		this.lanes.clock().raiseTo(lease.floor() + 1);
		if (this.reservation.begin(lease, now()) < 0) {
			IdGenerationException problem = Objects.requireNonNull(this.reservation.problem());
			throw unavailable(failure, "its state file cannot be written: " + problem.getMessage());
		}
		logger.warn("Resuming the lease of an earlier process on worker ID {}, because the store is unavailable: {}",
				lease.workerId(), failure.getMessage());
		return lease;
	}

	private static WorkerIdUnavailableException unavailable(WorkerLeaseStoreException ex, String reason) {
		return new WorkerIdUnavailableException(
				"%s. Startup without the store needs the lease of an earlier process, but %s".formatted(ex.getMessage(),
						reason),
				ex);
	}

	private void logStart(HeldLease lease) {
		SnowflakeLayout layout = layout();
		logger.info("Snowflake IDs of {}: {}; {} worker IDs with {} IDs per second each; usable until {}; {}",
				this.settings.name(), layout, layout.maxWorkerId() + 1, layout.idsPerSecond(), layout.exhaustedAt(),
				layout.fitsJavaScript() ? "safe as JavaScript numbers"
						: "too large for JavaScript numbers: send them as strings");
		logger.info("Worker ID {} is leased ({}) until {}", lease.workerId(), this.store.source(),
				Instant.ofEpochMilli(lease.horizon()));
	}

	private SnowflakeLayout layout() {
		return this.lanes.settings().layout();
	}

	private long now() {
		return this.lanes.clock().millis();
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
			this.renewal.release(retired);
		}
	}

	/**
	 * Returns the state of the leases, without accessing the store.
	 * @return their status
	 */
	public Status status() {
		List<HeldLease> leases = this.leasedLanes.all()
			.stream()
			.filter((leased) -> !leased.lane().isSealed())
			.map(LeasedLane::lease)
			.toList();
		List<Long> workerIds = leases.stream().map(HeldLease::workerId).toList();
		long horizon = leases.stream().mapToLong(HeldLease::horizon).min().orElse(0);
		Throwable failure = this.renewal.failure();
		IdGenerationException problem = this.reservation.problem();
		return new Status(workerIds, this.store.source(), workerIds.isEmpty() ? null : Instant.ofEpochMilli(horizon),
				(failure != null) ? FailureText.of(failure) : null, this.renewal.failures(), free(),
				this.settings.window(), (problem != null) ? problem.getMessage() : null);
	}

	private @Nullable Long free() {
		Long taken = this.claims.taken();
		if (taken == null || !this.store.isShared()) {
			return null;
		}
		return layout().maxWorkerId() + 1 - this.store.firstWorkerId() - taken;
	}

	/**
	 * Stops issuing IDs and releases the worker IDs. A worker ID that cannot be released
	 * within a few seconds, for example because the store is unavailable, stays reserved
	 * until the horizon of its lease. If the store is still unavailable when this process
	 * restarts, the process can resume its saved lease. Only the first call of this
	 * method has an effect.
	 */
	@Override
	public void close() {
		if (!this.closed.compareAndSet(false, true)) {
			return;
		}
		// clears the interrupted status: an interrupted thread could neither wait for the
		// other threads nor use the store
		boolean interrupted = Thread.interrupted();
		this.lanes.stop();
		boolean storeIsQuiet = LeaseThreads.stop(this.threads.store());
		interrupted |= Thread.interrupted();
		boolean localIsQuiet = LeaseThreads.stop(this.threads.local());
		interrupted |= Thread.interrupted();
		try {
			if (storeIsQuiet && localIsQuiet) {
				// seals the lanes that the local thread has added since the first call of
				// stop()
				this.lanes.stop();
				this.renewal.releaseAll();
			}
			else {
				this.leasedLanes.all().forEach((leased) -> LeaseRenewal.logReserved(leased.lease()));
			}
		}
		finally {
			// while the local thread may still write the state file, the lock is kept, so
			// that no other process can use the file
			if (this.threads.local().isTerminated()) {
				this.reservation.close();
			}
			if (this.threads.store().isTerminated() || this.store.isShared()) {
				this.store.close();
			}
			if (interrupted) {
				Thread.currentThread().interrupt();
			}
		}
	}

	/**
	 * The state of the leases of a process.
	 *
	 * @param workerIds the worker IDs with which IDs are issued
	 * @param source the kind of the store from which the worker IDs come
	 * @param horizon until when all these worker IDs can be used without another renewal,
	 * or {@code null} if there are no worker IDs
	 * @param lastError why the last renewal failed, or {@code null} if it succeeded
	 * @param failures how many renewals have failed
	 * @param free how many worker IDs were free when all lease records were last read
	 * (every ten minutes and at each claim), minus the claims of this process since then;
	 * {@code null} if the lease records have not been read yet, or if the store has only
	 * one worker ID
	 * @param window how long a lease lasts after a renewal
	 * @param stateFileError why the lease is not saved (a restart then fails while the
	 * store is unavailable); {@code null} if the lease is saved or need not be saved
	 */
	public record Status(List<Long> workerIds, String source, @Nullable Instant horizon, @Nullable String lastError,
			long failures, @Nullable Long free, Duration window, @Nullable String stateFileError) {

	}

}
