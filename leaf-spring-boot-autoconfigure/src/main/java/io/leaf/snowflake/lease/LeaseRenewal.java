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
import io.leaf.support.DurationText;
import io.leaf.snowflake.SnowflakeLanes;
import io.leaf.snowflake.lease.HeldLease.Outcome;
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
	 * How long to wait before a further lane is asked for again where there was none.
	 */
	private static final Duration DEMAND_PAUSE = Duration.ofMinutes(1);

	private final WorkerLeaseStore store;

	private final LeaseSettings settings;

	private final LeaseClaims claims;

	private final SnowflakeLanes lanes;

	private final Reservation reservation;

	private final LeasedLanes leasedLanes;

	private final LeaseThreads threads;

	private final AtomicBoolean confirming = new AtomicBoolean();

	private final AtomicBoolean demanding = new AtomicBoolean();

	// what the local thread has not seen yet
	private final Queue<HeldLease> handedOver = new ConcurrentLinkedQueue<>();

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
	 */
	void requestClock() {
		if (this.confirming.compareAndSet(false, true)) {
			this.threads.onStore(this::confirmClock);
		}
	}

	private void confirmClock() {
		boolean followed = false;
		try {
			if (this.storeIsOpen) {
				OptionalLong storeTime = this.store.currentTime();
				followed = storeTime.isPresent() && this.lanes.clock().confirm(storeTime.getAsLong());
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
			logger.warn("The wall clock jumped ahead by {} ms; {} it: the store's clock {}",
					this.lanes.clock().offsetMillis(), followed ? "following" : "not following",
					storeTime.isPresent() ? "shows " + Instant.ofEpochMilli(storeTime.getAsLong()) : "is unavailable");
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
		boolean uncovered = leased.remembered() && !this.reservation.isActive();
		Outcome outcome = uncovered ? Outcome.LOST
				: lease.renew(now(), leased.lane().lastUsed(), this.settings.window().toMillis());
		if (outcome == Outcome.DONE) {
			this.threads.onLocal(this.leasedLanes::extend);
		}
		Throwable problem = switch (outcome) {
			case LOST, BLOCKED -> exchange(leased);
			default -> lease.failure();
		};
		if (outcome == Outcome.BLOCKED && problem != null) {
			// better nothing than what others issue, too
			this.threads.onLocal(leased.lane()::seal);
		}
		return problem;
	}

	private @Nullable Throwable exchange(LeasedLane leased) {
		try {
			HeldLease other = this.claims.claim(now(), this.leasedLanes.workerIds());
			this.exchanged.add(leased.lease());
			handOver(other, (claimed) -> this.leasedLanes.replace(leased, claimed));
			return null;
		}
		catch (IdGenerationException ex) {
			return ex;
		}
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
			handOver(this.claims.claim(now(), this.leasedLanes.workerIds()), this.leasedLanes::add);
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
			// First this: where the receiver fails half-way the lease may be in use, and
			// must not be given back as if it were not.
			this.handedOver.remove(lease);
			receiver.accept(lease);
		});
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
	 * Where the store is away nothing can be given back. Then the memory keeps its claim,
	 * so that a restart can go on with it. A store that goes away meanwhile does not hold
	 * the end of the application up for each lane.
	 */
	void releaseAll() {
		boolean answers = storeAnswers();
		for (LeasedLane leased : this.leasedLanes.all()) {
			HeldLease lease = leased.lease();
			boolean released = answers && !this.exchanged.contains(lease) && release(lease, leased.lane().lastUsed());
			answers = answers && lease.failure() == null;
			if (!released) {
				logger.warn("Worker ID {} was not given back. It rests until {}", lease.workerId(),
						Instant.ofEpochMilli(lease.horizon()));
			}
		}
		for (HeldLease lease : this.handedOver) {
			answers = answers && lease.release(lease.floor());
		}
	}

	// First the memory: whoever resumed from it would not know of the release.
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
