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
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

import io.leaf.IdGenerationException;
import io.leaf.snowflake.SnowflakeLane;
import io.leaf.snowflake.SnowflakeLanes;
import io.leaf.snowflake.lease.HeldLease.Outcome;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the leases of a process: takes the first at start, renews them, exchanges one
 * that was lost, takes further ones on demand, and gives them back at the end.
 * <p>
 * Two threads share the work. The <em>store thread</em> talks to the store, which may
 * take long; it owns the {@linkplain HeldLease claims}. The <em>local thread</em> looks
 * at the clock once a second, moves the {@linkplain Reservation reservation} on, and is
 * the only one that changes lanes; it never waits for the store. They meet in three
 * places: the store thread publishes a confirmed horizon in the claim, where the local
 * thread finds it; it hands a new claim over as a task; and the local thread publishes
 * the list of leased lanes, where the store thread finds what to renew.
 * <p>
 * A lane never passes the horizon that the store has confirmed for its own claim nor,
 * where that claim is remembered, the reservation that is on disk. All else is a matter
 * of staying available.
 */
public final class LeaseKeeper implements AutoCloseable {

	private static final Logger logger = LoggerFactory.getLogger(LeaseKeeper.class);

	private static final Duration TICK = Duration.ofSeconds(1);

	/**
	 * How long to wait before a further lane is asked for again where there was none.
	 */
	private static final Duration DEMAND_PAUSE = Duration.ofMinutes(1);

	/**
	 * How long closing waits for what is under way.
	 */
	private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(5);

	private final WorkerLeaseStore store;

	private final SnowflakeLanes lanes;

	private final LeaseSettings settings;

	private final LeaseEnvironment environment;

	private final LeaseClaims claims;

	private final Reservation reservation;

	private final AtomicBoolean confirming = new AtomicBoolean();

	private final AtomicBoolean demanding = new AtomicBoolean();

	private final AtomicBoolean closed = new AtomicBoolean();

	// changed by the local thread alone
	private volatile List<LeasedLane> leased = List.of();

	private volatile @Nullable Throwable failure;

	// claimed by the store thread, and not yet seen by the local thread
	private final Set<HeldLease> handedOver = ConcurrentHashMap.newKeySet();

	// by the store thread alone
	private final Set<HeldLease> exchanged = new HashSet<>();

	private boolean storeIsOpen;

	private boolean clockIsApart;

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
		this(store, memory, lanes, settings, LeaseEnvironment.system());
	}

	LeaseKeeper(WorkerLeaseStore store, @Nullable LeaseMemory memory, SnowflakeLanes lanes, LeaseSettings settings,
			LeaseEnvironment environment) {
		this.store = store;
		this.lanes = lanes;
		this.settings = settings;
		this.environment = environment;
		this.claims = new LeaseClaims(store, settings, environment.random());
		this.reservation = new Reservation(memory);
	}

	/**
	 * Takes a worker ID, and keeps it from then on. Where the store is away, goes on with
	 * the claim of an earlier process on this machine.
	 * @throws WorkerLeaseStoreException if the store refuses
	 * @throws io.leaf.WorkerIdUnavailableException if no worker ID is free, or if the
	 * store cannot be reached and there is no claim to go on with
	 * @throws io.leaf.ClockDriftException if this machine's clock is too far off. The
	 * keeper is closed wherever it throws
	 */
	public void start() {
		try {
			this.reservation.open(this.lanes.settings().layout());
			LeaseStart start = new LeaseStart(this.store, this.settings, this.claims, this.reservation, this.lanes);
			HeldLease lease = start.lease();
			this.storeIsOpen = start.storeIsOpen();
			this.failure = start.failure();
			boolean remembered = this.reservation.isActive();
			this.leased = List.of(new LeasedLane(lease, this.lanes.add(lease.workerId(), lease.floor(),
					remembered ? this.reservation.reservedUntil() : lease.horizon()), remembered));
			this.lanes.failure(this.failure);
		}
		catch (RuntimeException ex) {
			this.closed.set(true);
			this.environment.localExecutor().shutdownNow();
			this.environment.storeExecutor().shutdownNow();
			this.reservation.close();
			this.store.close();
			throw ex;
		}
		repeat(this.environment.localExecutor(), TICK, this::tick);
		repeat(this.environment.storeExecutor(), this.settings.reportInterval(), this::renew);
	}

	private static void repeat(ScheduledExecutorService executor, Duration interval, Runnable task) {
		executor.scheduleWithFixedDelay(guarded(task), interval.toNanos(), interval.toNanos(), TimeUnit.NANOSECONDS);
	}

	// a periodic task that throws would never run again
	private static Runnable guarded(Runnable task) {
		return () -> {
			try {
				task.run();
			}
			catch (Throwable ex) {
				logger.error("Keeping the leases failed. It is tried again", ex);
			}
		};
	}

	// ---- on the local thread

	private void tick() {
		if (!this.lanes.clock().follow() && this.confirming.compareAndSet(false, true)) {
			onStoreThread(this::confirmClock);
		}
		extend();
		if (this.lanes.takeDemand() && this.leased.size() < this.lanes.settings().maxLanes()
				&& this.demanding.compareAndSet(false, true)) {
			onStoreThread(this::claimFurther);
		}
	}

	private void extend() {
		for (LeasedLane leased : this.leased) {
			SnowflakeLane lane = leased.lane();
			if (!leased.remembered()) {
				lane.extend(leased.lease().horizon());
			}
			else if (this.reservation.extend(Math.max(now(), lane.lastUsed()))) {
				lane.extend(this.reservation.reservedUntil());
			}
			else {
				// what the memory does not cover any more is exchanged
				onStoreThread(this::renew);
			}
		}
		this.lanes.wakeUp();
	}

	private void add(HeldLease lease) {
		this.lanes.clock().raiseTo(lease.floor() + 1);
		SnowflakeLane lane = this.lanes.add(lease.workerId(), lease.floor(), lease.horizon());
		List<LeasedLane> leased = new ArrayList<>(this.leased);
		leased.add(new LeasedLane(lease, lane, false));
		this.leased = List.copyOf(leased);
		logger.info("Worker ID {} taken as a further lane", lease.workerId());
	}

	private void replace(LeasedLane old, HeldLease lease) {
		this.lanes.clock().raiseTo(lease.floor() + 1);
		boolean remembered = old.remembered() && this.reservation.isActive();
		long until = remembered ? this.reservation.begin(lease, now()) : lease.horizon();
		// Where the memory failed just now it may speak of this claim. It is exchanged in
		// its turn; until then its lane has nothing to issue.
		SnowflakeLane lane = this.lanes.replace(old.lane(), lease.workerId(), lease.floor(),
				Math.max(until, lease.floor()));
		LeasedLane replacement = new LeasedLane(lease, lane, remembered);
		List<LeasedLane> leased = new ArrayList<>(this.leased);
		leased.replaceAll((each) -> (each == old) ? replacement : each);
		this.leased = List.copyOf(leased);
		logger.info("Worker ID {} takes the place of {}", lease.workerId(), old.lease().workerId());
		if (until < 0) {
			onStoreThread(this::renew);
		}
	}

	// ---- on the store thread

	private void confirmClock() {
		boolean followed = false;
		try {
			if (!this.storeIsOpen) {
				return;
			}
			OptionalLong storeTime = this.store.currentTime();
			followed = storeTime.isPresent() && this.lanes.clock().confirm(storeTime.getAsLong());
			if (followed || !this.clockIsApart) {
				logger.warn("The wall clock is ahead by {} ms. It is {}followed: the store's clock {}",
						this.lanes.clock().offsetMillis(), followed ? "" : "not ", storeTime.isPresent()
								? "shows " + Instant.ofEpochMilli(storeTime.getAsLong()) : "is not to be had");
			}
			this.clockIsApart = !followed;
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

	private void renew() {
		Throwable failure = null;
		try {
			if (!this.storeIsOpen) {
				this.store.open(this.lanes.settings().layout());
				this.storeIsOpen = true;
			}
		}
		catch (WorkerLeaseStoreException ex) {
			failure = ex;
		}
		for (LeasedLane leased : this.leased) {
			if (this.storeIsOpen && !this.exchanged.contains(leased.lease())) {
				Throwable problem = renew(leased);
				failure = (problem != null) ? problem : failure;
			}
		}
		report(failure);
	}

	private @Nullable Throwable renew(LeasedLane leased) {
		HeldLease lease = leased.lease();
		boolean uncovered = leased.remembered() && !this.reservation.isActive();
		Outcome outcome = uncovered ? Outcome.LOST
				: lease.renew(now(), leased.lane().lastUsed(), this.settings.window().toMillis());
		if (outcome == Outcome.DONE) {
			onLocalThread(this::extend);
		}
		Throwable problem = switch (outcome) {
			case LOST, BLOCKED -> exchange(leased);
			default -> lease.failure();
		};
		if (outcome == Outcome.BLOCKED && problem != null) {
			// better nothing than what others issue, too
			onLocalThread(leased.lane()::seal);
		}
		return problem;
	}

	private @Nullable Throwable exchange(LeasedLane leased) {
		try {
			HeldLease other = this.claims.claim(now(), workerIds());
			this.exchanged.add(leased.lease());
			handOver(other, (claimed) -> replace(leased, claimed));
			return null;
		}
		catch (IdGenerationException ex) {
			return ex;
		}
	}

	private void claimFurther() {
		if (!this.storeIsOpen) {
			this.demanding.set(false);
			return;
		}
		try {
			handOver(this.claims.claim(now(), workerIds()), this::add);
			onLocalThread(() -> this.demanding.set(false));
		}
		catch (IdGenerationException ex) {
			logger.warn("A further worker ID would be of use, but none was taken: {}", ex.getMessage());
			this.environment.storeExecutor()
				.schedule(() -> this.demanding.set(false), DEMAND_PAUSE.toNanos(), TimeUnit.NANOSECONDS);
		}
	}

	private Set<Long> workerIds() {
		Set<Long> workerIds = new HashSet<>();
		this.leased.forEach((leased) -> workerIds.add(leased.lease().workerId()));
		return workerIds;
	}

	private void handOver(HeldLease lease, Consumer<HeldLease> receiver) {
		this.handedOver.add(lease);
		onLocalThread(() -> {
			// First this: where the receiver fails half-way the lease may be in use, and
			// must not be given back as if it were not.
			this.handedOver.remove(lease);
			receiver.accept(lease);
		});
	}

	private void report(@Nullable Throwable failure) {
		Throwable before = this.failure;
		this.failure = failure;
		this.lanes.failure(failure);
		if (failure != null && before == null) {
			logger.warn(
					"The lease on worker ID {} was not renewed; IDs can be issued until {}. Tried again every {}: {}",
					workerIds(), status().horizon(), this.settings.reportInterval(), failure.getMessage());
			logger.debug("The lease was not renewed", failure);
		}
		else if (failure == null && before != null) {
			logger.info("The lease on worker ID {} is renewed again", workerIds());
		}
	}

	// ---- on any thread

	private long now() {
		return this.lanes.clock().millis();
	}

	private void onStoreThread(Runnable task) {
		execute(this.environment.storeExecutor(), task);
	}

	private void onLocalThread(Runnable task) {
		execute(this.environment.localExecutor(), task);
	}

	private static void execute(ExecutorService executor, Runnable task) {
		try {
			executor.execute(guarded(task));
		}
		catch (RejectedExecutionException ex) {
			logger.debug("Nothing is done any more, since the keeper is closing");
		}
	}

	/**
	 * Returns how the leases are doing. Reads memory only.
	 * @return their status
	 */
	public LeaseStatus status() {
		List<Long> workerIds = new ArrayList<>();
		long horizon = Long.MAX_VALUE;
		for (LeasedLane leased : this.leased) {
			workerIds.add(leased.lease().workerId());
			horizon = Math.min(horizon, leased.lease().horizon());
		}
		Throwable failure = this.failure;
		LeaseMemoryException problem = this.reservation.problem();
		return new LeaseStatus(workerIds, this.store.source(),
				workerIds.isEmpty() ? null : Instant.ofEpochMilli(horizon),
				(failure != null) ? failure.getMessage() : null, (problem != null) ? problem.getMessage() : null);
	}

	/**
	 * Stops issuing, and gives the worker IDs back. What cannot be given back within a
	 * few seconds rests until its horizon; where the store is away, a restart of this
	 * process goes on with it. Later calls have no effect.
	 */
	@Override
	public void close() {
		if (!this.closed.compareAndSet(false, true)) {
			return;
		}
		this.lanes.stop();
		boolean storeIsQuiet = stop(this.environment.storeExecutor());
		boolean localIsQuiet = stop(this.environment.localExecutor());
		try {
			if (storeIsQuiet && localIsQuiet) {
				// what the local thread has added meanwhile
				this.lanes.stop();
				releaseAll();
			}
		}
		finally {
			if (localIsQuiet) {
				// else somebody else could use it, and a write come in between
				this.reservation.close();
			}
			this.store.close();
		}
	}

	// Where the store is away nothing can be given back. Then the memory keeps the claim,
	// so that a restart can go on with it. And one that goes away meanwhile must not hold
	// the end of the application up for each lane.
	private void releaseAll() {
		boolean answers = storeAnswers();
		for (LeasedLane leased : this.leased) {
			answers = answers && release(leased);
			if (!answers) {
				rests(leased.lease());
			}
		}
		for (HeldLease lease : this.handedOver) {
			answers = answers && lease.release(now(), lease.floor());
		}
	}

	private boolean storeAnswers() {
		if (!this.storeIsOpen) {
			return false;
		}
		try {
			this.leased.stream().limit(1).forEach((leased) -> this.store.read(leased.lease().workerId()));
			return true;
		}
		catch (WorkerLeaseStoreException ex) {
			logger.debug("The store of the leases is away", ex);
			return false;
		}
	}

	private static boolean stop(ExecutorService executor) {
		executor.shutdown();
		try {
			if (executor.awaitTermination(CLOSE_TIMEOUT.toNanos(), TimeUnit.NANOSECONDS)) {
				return true;
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		executor.shutdownNow();
		return false;
	}

	private boolean release(LeasedLane leased) {
		HeldLease lease = leased.lease();
		if (this.exchanged.contains(lease)) {
			return true;
		}
		// First the memory: whoever resumed from it would not know of the release.
		return this.reservation.forget(lease) && lease.release(now(), leased.lane().lastUsed());
	}

	private static void rests(HeldLease lease) {
		logger.warn("Worker ID {} was not given back. It rests until {}", lease.workerId(),
				Instant.ofEpochMilli(lease.horizon()));
	}

}
