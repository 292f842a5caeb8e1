// SPDX-License-Identifier: Apache-2.0

package io.leaf.snowflake.lease;

import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;

import io.leaf.IdGenerationException;
import io.leaf.WorkerIdUnavailableException;
import io.leaf.support.DurationText;
import io.leaf.support.FailureText;
import io.leaf.snowflake.SnowflakeLanes;
import io.leaf.snowflake.lease.LeasedLanes.LeasedLane;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The work of the store thread of a {@link LeaseKeeper}, which renews leases, replaces
 * lost leases, claims further leases, and reads the clock of the store. The store thread
 * hands new claims over to the local thread, which reads the confirmed horizon of a claim
 * from the {@link HeldLease}.
 * <p>
 * After startup, only the store thread may call the methods, unless a method states
 * otherwise.
 */
final class LeaseRenewal {

	private static final Logger logger = LoggerFactory.getLogger(LeaseRenewal.class);

	// how long to wait before the next attempt if no further worker ID could be claimed
	private static final Duration DEMAND_PAUSE = Duration.ofMinutes(1);

	// If the store has no clock, the generator's clock follows the wall clock after this
	// many checks in a row (one per second) have found the wall clock ahead by more than
	// the allowed drift.
	private static final int PERSISTENT = 10;

	private final WorkerLeaseStore store;

	private final LeaseSettings settings;

	private final LeaseClaims claims;

	private final SnowflakeLanes lanes;

	private final Reservation reservation;

	private final LeasedLanes leasedLanes;

	private final LeaseThreads threads;

	private final AtomicBoolean confirming = new AtomicBoolean();

	private final AtomicBoolean demanding = new AtomicBoolean();

	// leases that the local thread has not taken over yet, each mapped to the lease that
	// it replaces, or to itself if it replaces no lease
	private final Map<HeldLease, HeldLease> handedOver = new ConcurrentHashMap<>();

	// leases whose release the store has not confirmed yet
	private final Queue<LeasedLane> retired = new ConcurrentLinkedQueue<>();

	private volatile @Nullable Throwable failure;

	private volatile long failures;

	private boolean storeIsOpen;

	private boolean clockIsApart;

	LeaseRenewal(WorkerLeaseStore store, LeaseSettings settings, LeaseClaims claims, SnowflakeLanes lanes,
			Reservation reservation, LeasedLanes leasedLanes, LeaseThreads threads) {
		this.store = store;
		this.settings = settings;
		this.claims = claims;
		this.lanes = lanes;
		this.reservation = reservation;
		this.leasedLanes = leasedLanes;
		this.threads = threads;
	}

	/**
	 * Records how startup ended.
	 * @param startFailure why the store could not be reached, or {@code null} if the
	 * store is open
	 */
	void begin(@Nullable WorkerLeaseStoreException startFailure) {
		this.storeIsOpen = startFailure == null;
		this.failure = startFailure;
		this.lanes.failure(startFailure);
	}

	// may be called by any thread
	@Nullable Throwable failure() {
		return this.failure;
	}

	// may be called by any thread
	long failures() {
		return this.failures;
	}

	/**
	 * Requests a comparison of the wall clock with the store's clock, unless a comparison
	 * is under way. If the two clocks agree, the generator's clock follows the wall
	 * clock. If the store has no clock, {@code times} decides instead. May be called by
	 * any thread.
	 * @param times how many times in a row the wall clock was ahead of the generator's
	 * clock by more than the allowed drift
	 */
	void requestClock(int times) {
		onStore(this.confirming, () -> confirmClock(times));
	}

	private void onStore(AtomicBoolean underWay, Runnable task) {
		if (underWay.compareAndSet(false, true)) {
			try {
				this.threads.onStore(task);
			}
			catch (Throwable ex) {
				underWay.set(false);
				throw ex;
			}
		}
	}

	private void confirmClock(int times) {
		boolean followed = false;
		try {
			if (this.storeIsOpen) {
				OptionalLong storeTime = this.store.currentTime();
				// A store without a clock cannot confirm the wall clock. The generator's
				// clock then follows the wall clock only after the wall clock was ahead
				// PERSISTENT times in a row.
				followed = (storeTime.isPresent() || times >= PERSISTENT)
						&& this.lanes.clock().confirm(storeTime.orElseGet(this.lanes.clock()::wallMillis));
				logClock(followed, storeTime);
			}
		}
		catch (WorkerLeaseStoreException ex) {
			logger.debug("The store's clock could not be read", ex);
		}
		finally {
			this.confirming.set(false);
		}
		if (followed) {
			// The generator's clock may have passed the horizons of the leases, and the
			// next regular renewal may be much later.
			renew();
		}
	}

	private void logClock(boolean followed, OptionalLong storeTime) {
		if (followed || !this.clockIsApart) {
			logger.warn("The wall clock jumped ahead by {} ms. The generator's clock {} the wall clock: {}",
					this.lanes.clock().offsetMillis(), followed ? "follows" : "does not follow",
					storeTime.isPresent() ? "the store's clock shows " + Instant.ofEpochMilli(storeTime.getAsLong())
							: "the store has no clock, so only a lasting jump is followed");
		}
		this.clockIsApart = !followed;
	}

	void renew() {
		Throwable problem = open();
		// The set of leases being replaced is read before the list of lanes. In the
		// opposite order, a lease would be replaced twice if the local thread took over
		// its replacement between the two reads.
		Set<HeldLease> replaced = Set.copyOf(this.handedOver.values());
		for (LeasedLane leased : this.leasedLanes.all()) {
			if (this.storeIsOpen && !replaced.contains(leased.lease())) {
				Throwable own = renew(leased);
				problem = (own != null) ? own : problem;
			}
		}
		releaseRetired();
		report(problem);
	}

	private @Nullable Throwable open() {
		if (!this.storeIsOpen) {
			try {
				this.store.open(this.lanes.settings().layout());
				this.storeIsOpen = true;
			}
			catch (Throwable ex) {
				return ex;
			}
		}
		return null;
	}

	private @Nullable Throwable renew(LeasedLane leased) {
		HeldLease lease = leased.lease();
		if (leased.reserved() && !this.reservation.isActive()) {
			// A process that resumes the lease from the state file may use all timestamps
			// up to the horizon of the lease, so they are recorded as used.
			this.claims.used(lease.workerId(), lease.horizon());
			Throwable problem = replace(leased);
			if (problem instanceof WorkerIdUnavailableException && !leased.lane().isSealed()) {
				// No other worker ID is free. Seal the lane, so that its own worker ID
				// can be claimed again once the lease has run out.
				leased.lane().seal();
				problem = replace(leased);
			}
			return problem;
		}
		if (lease.renew(now(), leased.lane().lastUsed(), this.settings.window().toMillis())) {
			this.threads.onLocal(this.leasedLanes::extend);
			return null;
		}
		if (!lease.isLost()) {
			return lease.failure();
		}
		// seal the lane first, because the requests for another lease may take long
		if (!leased.lane().isSealed()) {
			seal(leased);
		}
		return replace(leased);
	}

	// As long as the state file holds the claim, a process may resume the claim and use
	// all timestamps up to its horizon. These timestamps are therefore recorded as used
	// until the claim has been erased from the file.
	private void seal(LeasedLane leased) {
		leased.lane().seal();
		HeldLease lease = leased.lease();
		long lastUsed = leased.lane().lastUsed();
		this.claims.used(lease.workerId(), leased.reserved() ? lease.horizon() : lastUsed);
		if (leased.reserved()) {
			this.threads.onLocal(() -> {
				if (this.reservation.erase(lease)) {
					this.claims.used(lease.workerId(), lastUsed);
				}
			});
		}
	}

	private @Nullable Throwable replace(LeasedLane leased) {
		try {
			Set<Long> held = held();
			if (leased.lane().isSealed()) {
				held.remove(leased.lease().workerId());
			}
			HeldLease other = this.claims.claim(now(), held);
			handOver(other, leased.lease(), () -> this.leasedLanes.replace(leased, other));
			return null;
		}
		// returns even an Error, so that the other leases are still renewed
		catch (Throwable ex) {
			return ex;
		}
	}

	// Reads handedOver first, and then the lanes. In the opposite order, a lease would be
	// missing if the local thread opened its lane between the two reads.
	private Set<Long> held() {
		Set<Long> held = new HashSet<>();
		this.handedOver.keySet().forEach((lease) -> held.add(lease.workerId()));
		held.addAll(this.leasedLanes.workerIds());
		return held;
	}

	/**
	 * Requests a further lease, unless a request is under way. May be called by any
	 * thread.
	 */
	void requestFurther() {
		onStore(this.demanding, this::claimFurther);
	}

	private void claimFurther() {
		boolean scheduled = false;
		try {
			if (this.storeIsOpen) {
				HeldLease further = this.claims.claim(now(), held());
				handOver(further, further, () -> this.leasedLanes.add(further));
				this.threads.onLocal(() -> this.demanding.set(false));
				scheduled = true;
			}
		}
		catch (IdGenerationException ex) {
			logger.warn("Another worker ID is needed, but none could be claimed: {}", ex.getMessage());
			LeaseThreads.later(this.threads.store(), DEMAND_PAUSE, () -> this.demanding.set(false));
			scheduled = true;
		}
		finally {
			if (!scheduled) {
				this.demanding.set(false);
			}
		}
	}

	private void handOver(HeldLease lease, HeldLease replaced, Runnable receiver) {
		this.handedOver.put(lease, replaced);
		try {
			this.threads.onLocal(() -> {
				try {
					receiver.run();
				}
				finally {
					// The lease is removed from handedOver even if the receiver fails,
					// because a lane may use the lease by then. If the lease stayed in
					// handedOver, releaseAll() would release it as unused. If the lease
					// was to replace an older lease, the next renewal tries again to
					// replace the older lease.
					this.handedOver.remove(lease);
				}
			});
		}
		catch (Throwable ex) {
			this.handedOver.remove(lease);
			throw ex;
		}
	}

	/**
	 * Releases the lease of a retired lane. May be called by any thread.
	 */
	void release(LeasedLane lane) {
		this.claims.used(lane.lease().workerId(), lane.lane().lastUsed());
		this.retired.add(lane);
		this.threads.onStore(this::releaseRetired);
	}

	private void releaseRetired() {
		this.retired.removeIf((lane) -> lane.lease().release(lane.lane().lastUsed()) || lane.lease().isLost());
	}

	private void report(@Nullable Throwable problem) {
		Throwable before = this.failure;
		this.failure = problem;
		this.lanes.failure(problem);
		if (problem != null) {
			// the increment is not atomic, but only this thread writes the field
			this.failures++;
		}
		if (problem != null && before == null) {
			logger.warn("Failed to renew a lease of this process (worker IDs {}); retrying every {}: {}",
					this.leasedLanes.workerIds(), DurationText.of(this.settings.reportInterval()),
					FailureText.of(problem));
			logger.debug("Failed to renew a lease", problem);
		}
		else if (problem == null && before != null) {
			logger.info("The leases of this process (worker IDs {}) are renewed again", this.leasedLanes.workerIds());
		}
	}

	void survey() {
		if (this.storeIsOpen && this.store.isShared()) {
			try {
				this.claims.countTaken(this.store.readAll(), now());
			}
			catch (WorkerLeaseStoreException ex) {
				logger.debug("Failed to count the worker IDs that are taken", ex);
			}
		}
	}

	/**
	 * Releases all leases. To be called after the store thread and the local thread have
	 * ended and all lanes have been sealed.
	 * <p>
	 * If the store is unavailable, no lease can be released. In this case, a claim in the
	 * state file stays there unless it has been lost, so that the process can resume the
	 * claim after a restart. If the store becomes unavailable during the release, the
	 * remaining leases are not released, so that they do not delay shutdown.
	 */
	void releaseAll() {
		boolean answers = storeAnswers();
		for (LeasedLane leased : this.leasedLanes.all()) {
			HeldLease lease = leased.lease();
			// Erase the claim from the state file first. A process that resumed the claim
			// later would not know that the lease was released or lost.
			boolean erased = (answers || lease.isLost()) && this.reservation.erase(lease);
			boolean released = false;
			if (answers && erased && !lease.isLost()) {
				released = lease.release(leased.lane().lastUsed());
				answers = lease.failure() == null;
			}
			if (!released) {
				logReserved(lease);
			}
		}
		if (answers) {
			releaseRetired();
		}
		this.retired.forEach((lane) -> logReserved(lane.lease()));
		for (HeldLease lease : this.handedOver.keySet()) {
			boolean released = answers && lease.release(lease.floor());
			answers = answers && lease.failure() == null;
			if (!released) {
				logReserved(lease);
			}
		}
		if (answers) {
			this.claims.releaseUnanswered(held());
		}
	}

	static void logReserved(HeldLease lease) {
		if (!lease.isLost()) {
			logger.warn("Worker ID {} was not released. It stays reserved until {}", lease.workerId(),
					Instant.ofEpochMilli(lease.horizon()));
		}
	}

	private boolean storeAnswers() {
		try {
			if (this.storeIsOpen) {
				this.leasedLanes.workerIds().stream().limit(1).forEach(this.store::read);
			}
			return this.storeIsOpen;
		}
		// an application's own store may throw other exceptions
		catch (RuntimeException ex) {
			logger.debug("The store of the leases is unavailable", ex);
			return false;
		}
	}

	private long now() {
		return this.lanes.clock().millis();
	}

}
