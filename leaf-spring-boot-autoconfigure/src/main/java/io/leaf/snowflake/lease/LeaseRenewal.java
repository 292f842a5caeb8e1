// SPDX-License-Identifier: Apache-2.0

package io.leaf.snowflake.lease;

import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

import io.leaf.IdGenerationException;
import io.leaf.WorkerIdUnavailableException;
import io.leaf.support.DurationText;
import io.leaf.snowflake.SnowflakeLanes;
import io.leaf.snowflake.lease.LeasedLanes.LeasedLane;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The store thread's side of keeping leases: it renews them, exchanges those that are
 * lost, claims further ones, and asks for the store's clock. What it claims it hands over
 * to the local thread; what is confirmed, the local thread finds in the
 * {@link HeldLease}.
 * <p>
 * For the store thread alone, once the process has started, except where stated.
 */
final class LeaseRenewal {

	private static final Logger logger = LoggerFactory.getLogger(LeaseRenewal.class);

	/**
	 * How long to wait before a further lane is asked for again if none was free.
	 */
	private static final Duration DEMAND_PAUSE = Duration.ofMinutes(1);

	private final WorkerLeaseStore store;

	private final LeaseSettings settings;

	private final LeaseClaims claims;

	private final SnowflakeLanes lanes;

	private final Reservation reservation;

	private final LeasedLanes leasedLanes;

	private final LeaseThreads threads;

	/**
	 * How many times in a row the wall clock must have been found ahead, once a second,
	 * until it is believed where there is no other clock.
	 */
	private static final int PERSISTENT = 10;

	private final AtomicBoolean confirming = new AtomicBoolean();

	private final AtomicBoolean demanding = new AtomicBoolean();

	// what the local thread has not seen yet
	private final Queue<HeldLease> handedOver = new ConcurrentLinkedQueue<>();

	// the store has not confirmed yet that these were given back
	private final Queue<LeasedLane> retired = new ConcurrentLinkedQueue<>();

	private final Set<HeldLease> exchanged = new HashSet<>();

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
	 * Goes on from the start.
	 * @param startFailure why the store could not be reached, or {@code null} if it is
	 * open
	 */
	void begin(@Nullable WorkerLeaseStoreException startFailure) {
		this.storeIsOpen = startFailure == null;
		this.failure = startFailure;
		this.lanes.failure(startFailure);
	}

	/**
	 * Returns why the last renewal had no success, or {@code null} if it had. For any
	 * thread.
	 */
	@Nullable Throwable failure() {
		return this.failure;
	}

	/**
	 * Returns how many renewals had no success. For any thread.
	 */
	long failures() {
		return this.failures;
	}

	/**
	 * Asks for the store's clock, unless that is under way. For any thread.
	 * @param times how many times in a row the wall clock was found ahead
	 */
	void requestClock(int times) {
		if (this.confirming.compareAndSet(false, true)) {
			this.threads.onStore(() -> confirmClock(times));
		}
	}

	private void confirmClock(int times) {
		boolean followed = false;
		try {
			if (this.storeIsOpen) {
				OptionalLong storeTime = this.store.currentTime();
				// without another clock, there is only the wall clock to believe
				followed = (storeTime.isPresent() || times >= PERSISTENT)
						&& this.lanes.clock().confirm(storeTime.orElseGet(this.lanes.clock()::wallMillis));
				tellClock(followed, storeTime);
			}
		}
		catch (WorkerLeaseStoreException ex) {
			logger.debug("The store's clock could not be read", ex);
		}
		finally {
			this.confirming.set(false);
		}
		if (followed) {
			// the horizon may lie behind the clock now, and the next renewal be far
			renew();
		}
	}

	private void tellClock(boolean followed, OptionalLong storeTime) {
		if (followed || !this.clockIsApart) {
			logger.warn("The wall clock jumped ahead by {} ms; {} it: {}", this.lanes.clock().offsetMillis(),
					followed ? "following" : "not following",
					storeTime.isPresent() ? "the store's clock shows " + Instant.ofEpochMilli(storeTime.getAsLong())
							: "the store has no clock to compare it with");
		}
		this.clockIsApart = !followed;
	}

	/**
	 * Renews all leases, and exchanges those that are lost.
	 */
	void renew() {
		Throwable problem = open();
		for (LeasedLane leased : this.leasedLanes.all()) {
			if (this.storeIsOpen && !this.exchanged.contains(leased.lease())) {
				Throwable own = renew(leased);
				problem = (own != null) ? own : problem;
			}
		}
		giveBackRetired();
		report(problem);
	}

	private @Nullable Throwable open() {
		if (!this.storeIsOpen) {
			try {
				this.store.open(this.lanes.settings().layout());
				this.storeIsOpen = true;
			}
			catch (WorkerLeaseStoreException ex) {
				return ex;
			}
		}
		return null;
	}

	private @Nullable Throwable renew(LeasedLane leased) {
		HeldLease lease = leased.lease();
		if (leased.remembered() && !this.reservation.isActive()) {
			// a process that resumes from the memory may use all of it
			this.claims.used(lease.workerId(), lease.horizon());
			Throwable problem = exchange(leased);
			if (problem instanceof WorkerIdUnavailableException && !leased.lane().isSealed()) {
				// only its own worker ID may be left
				leased.lane().seal();
				problem = exchange(leased);
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
		// before anything that may take its time
		if (!leased.lane().isSealed()) {
			seal(leased);
		}
		return exchange(leased);
	}

	// The state file may speak of the claim until it is erased, and a process that
	// resumes from it may issue up to the horizon.
	private void seal(LeasedLane leased) {
		leased.lane().seal();
		HeldLease lease = leased.lease();
		long lastUsed = leased.lane().lastUsed();
		this.claims.used(lease.workerId(), leased.remembered() ? lease.horizon() : lastUsed);
		if (leased.remembered()) {
			this.threads.onLocal(() -> {
				if (this.reservation.forget(lease)) {
					this.claims.used(lease.workerId(), lastUsed);
				}
			});
		}
	}

	private @Nullable Throwable exchange(LeasedLane leased) {
		try {
			Set<Long> held = held();
			if (leased.lane().isSealed()) {
				held.remove(leased.lease().workerId());
			}
			HeldLease other = this.claims.claim(now(), held);
			this.exchanged.add(leased.lease());
			handOver(other, (claimed) -> this.leasedLanes.replace(leased, claimed));
			return null;
		}
		catch (IdGenerationException ex) {
			return ex;
		}
	}

	// in this order: what was handed over becomes a lane
	private Set<Long> held() {
		Set<Long> held = new HashSet<>();
		this.handedOver.forEach((lease) -> held.add(lease.workerId()));
		held.addAll(this.leasedLanes.workerIds());
		return held;
	}

	/**
	 * Asks for a further lease, unless that is under way. For any thread.
	 */
	void requestFurther() {
		if (this.demanding.compareAndSet(false, true)) {
			this.threads.onStore(this::claimFurther);
		}
	}

	private void claimFurther() {
		if (!this.storeIsOpen) {
			this.demanding.set(false);
			return;
		}
		try {
			handOver(this.claims.claim(now(), held()), this.leasedLanes::add);
			this.threads.onLocal(() -> this.demanding.set(false));
		}
		catch (IdGenerationException ex) {
			logger.warn("Another worker ID is needed, but none could be claimed: {}", ex.getMessage());
			this.threads.onStoreIn(DEMAND_PAUSE, () -> this.demanding.set(false));
		}
	}

	private void handOver(HeldLease lease, Consumer<HeldLease> receiver) {
		this.handedOver.add(lease);
		this.threads.onLocal(() -> {
			try {
				receiver.accept(lease);
			}
			finally {
				// Also where the receiver fails half-way: the lease may be in use, and
				// must
				// not be given back as if it were not.
				this.handedOver.remove(lease);
			}
		});
	}

	/**
	 * Gives back the lease of a lane that was retired. For any thread.
	 */
	void giveBack(LeasedLane lane) {
		this.claims.used(lane.lease().workerId(), lane.lane().lastUsed());
		this.retired.add(lane);
		this.threads.onStore(this::giveBackRetired);
	}

	private void giveBackRetired() {
		this.retired.removeIf((lane) -> lane.lease().release(lane.lane().lastUsed()) || lane.lease().isLost());
	}

	private void report(@Nullable Throwable problem) {
		Throwable before = this.failure;
		this.failure = problem;
		this.lanes.failure(problem);
		if (problem != null) {
			// by this thread alone
			this.failures++;
		}
		if (problem != null && before == null) {
			logger.warn("Failed to renew the lease on worker ID {}; retrying every {}: {}",
					this.leasedLanes.workerIds(), DurationText.of(this.settings.reportInterval()),
					problem.getMessage());
			logger.debug("The lease was not renewed", problem);
		}
		else if (problem == null && before != null) {
			logger.info("The lease on worker ID {} is renewed again", this.leasedLanes.workerIds());
		}
	}

	/**
	 * Counts the worker IDs that are taken.
	 */
	void survey() {
		if (this.storeIsOpen && this.store.isShared()) {
			try {
				this.claims.seen(this.store.readAll(), now());
			}
			catch (WorkerLeaseStoreException ex) {
				logger.debug("The worker IDs that are taken were not counted", ex);
			}
		}
	}

	/**
	 * Gives all leases back, after both threads have ended and all lanes are sealed.
	 * <p>
	 * If the store is unavailable nothing can be given back. Then the memory keeps its
	 * claim, so that a restart can go on with it. A store that becomes unavailable
	 * meanwhile does not delay the end of the application for each lane.
	 */
	void releaseAll() {
		boolean answers = storeAnswers();
		for (LeasedLane leased : this.leasedLanes.all()) {
			HeldLease lease = leased.lease();
			boolean released = answers && !this.exchanged.contains(lease) && release(lease, leased.lane().lastUsed());
			answers = answers && lease.failure() == null;
			if (!released) {
				tellOfRest(lease);
			}
		}
		if (answers) {
			giveBackRetired();
		}
		this.retired.forEach((lane) -> tellOfRest(lane.lease()));
		for (HeldLease lease : this.handedOver) {
			answers = answers && lease.release(lease.floor());
		}
	}

	private static void tellOfRest(HeldLease lease) {
		if (!lease.isLost()) {
			logger.warn("Worker ID {} was not given back. It rests until {}", lease.workerId(),
					Instant.ofEpochMilli(lease.horizon()));
		}
	}

	// First the memory: a process that resumed from it would not know of the release.
	private boolean release(HeldLease lease, long lastUsed) {
		return this.reservation.forget(lease) && lease.release(lastUsed);
	}

	private boolean storeAnswers() {
		try {
			if (this.storeIsOpen) {
				this.leasedLanes.workerIds().stream().limit(1).forEach(this.store::read);
			}
			return this.storeIsOpen;
		}
		catch (WorkerLeaseStoreException ex) {
			logger.debug("The store of the leases is away", ex);
			return false;
		}
	}

	private long now() {
		return this.lanes.clock().millis();
	}

}
