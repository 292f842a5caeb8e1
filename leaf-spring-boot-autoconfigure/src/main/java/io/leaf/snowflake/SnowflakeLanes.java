// SPDX-License-Identifier: Apache-2.0

package io.leaf.snowflake;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;

import io.leaf.IdGenerationException;
import io.leaf.InvalidRequestException;
import io.leaf.WorkerIdUnavailableException;
import io.leaf.snowflake.SnowflakeLane.Obstacle;
import io.leaf.support.AsyncCall;
import io.leaf.support.DurationText;
import org.jspecify.annotations.Nullable;

/**
 * The lanes of a process, one for each worker ID that the process holds. The keeper of
 * the leases adds, extends, replaces and removes lanes. Each thread is assigned to a
 * lane. A caller draws an ID from the lane of its thread or, if this lane can issue none
 * at present, from another lane. If no lane can issue an ID, the caller waits.
 * <p>
 * A waiting thread parks. If the only obstacle for a lane is that its timestamps are as
 * far ahead of the clock as {@code leaf.snowflake.max-lead} allows, the thread parks
 * until the clock has advanced. Otherwise, the thread parks until the keeper has changed
 * a lane. The thread cannot miss such a change: it enters a queue, tries once more to
 * draw an ID, and only then parks. The keeper first changes the lane, and then empties
 * the queue and unparks the threads that were in it. Asynchronous calls that wait for the
 * keeper enter the same queue, and the keeper resumes them.
 * <p>
 * Any number of threads can draw IDs at once. Of the methods that change lanes, only
 * {@link #stop()} may be called while another of them runs.
 */
public final class SnowflakeLanes {

	private final SnowflakeSettings settings;

	private final GeneratorClock clock;

	private final SnowflakeEnvironment environment;

	private final long maxBatch;

	private final Queue<Runnable> waiting = new ConcurrentLinkedQueue<>();

	private final LongAdder removedIssued = new LongAdder();

	private final AtomicLong mostIssued = new AtomicLong();

	private final LongAdder waits = new LongAdder();

	private final LongAdder waitedNanos = new LongAdder();

	// the lanes as an array; before the first lane is added, the array holds a lane that
	// issues no IDs
	private volatile SnowflakeLane[] drawnFrom;

	private volatile List<SnowflakeLane> lanes = List.of();

	private volatile boolean demand;

	private volatile boolean stopped;

	private volatile @Nullable Throwable failure;

	/**
	 * Creates an empty set of lanes. Callers wait until a lane has been added.
	 * @param settings how IDs are issued
	 * @param clock the clock whose time the IDs contain
	 */
	public SnowflakeLanes(SnowflakeSettings settings, GeneratorClock clock) {
		this(settings, clock, SnowflakeEnvironment.system());
	}

	SnowflakeLanes(SnowflakeSettings settings, GeneratorClock clock, SnowflakeEnvironment environment) {
		this.settings = settings;
		this.clock = clock;
		this.environment = environment;
		this.maxBatch = Math.max(1,
				(long) (settings.layout().idsPerSecond() * (settings.acquireTimeout().toMillis() / 1000.0)));
		this.drawnFrom = new SnowflakeLane[] { lane(0) };
	}

	private SnowflakeLane lane(long workerId) {
		return new SnowflakeLane(this.settings, workerId, this.environment.random().nextLong());
	}

	long next() {
		long id = tryNext();
		return (id != SnowflakeLane.NONE) ? id : draw(new long[1])[0];
	}

	CompletionStage<Long> nextAsync() {
		long id = tryNext();
		return (id != SnowflakeLane.NONE) ? CompletableFuture.completedFuture(id) : new Call().begin();
	}

	private long tryNext() {
		long now = this.clock.millis();
		SnowflakeLane[] lanes = this.drawnFrom;
		int own = ownLane(lanes.length);
		long id = lanes[own].tryNext(now);
		// if the thread's own lane has no ID, try the other lanes
		for (int i = 1; id == SnowflakeLane.NONE && i < lanes.length; i++) {
			id = lanes[(own + i) % lanes.length].tryNext(now);
		}
		return id;
	}

	long[] next(int count) {
		if (count > this.maxBatch) {
			throw new InvalidRequestException(
					"%d IDs were requested at once; with this layout and leaf.snowflake.acquire-timeout (%s), the maximum is %d"
						.formatted(count, DurationText.of(this.settings.acquireTimeout()), this.maxBatch));
		}
		return draw(new long[count]);
	}

	private long[] draw(long[] ids) {
		int drawn = 0;
		int parts = 0;
		long start = 0;
		boolean waited = false;
		boolean queued = false;
		while (true) {
			long now = this.clock.millis();
			SnowflakeLane[] lanes = this.drawnFrom;
			int own = ownLane(lanes.length);
			for (int i = 0; i < lanes.length && drawn < ids.length; i++) {
				int count = lanes[(own + i) % lanes.length].tryNext(now, ids, drawn);
				drawn += count;
				parts += Integer.signum(count);
			}
			if (drawn == ids.length) {
				// each part comes from one lane and ascends, but a part may contain
				// smaller IDs than the parts before it
				if (parts > 1) {
					Arrays.sort(ids);
				}
				return ids;
			}
			SnowflakeLane lane = soonest(lanes, own, now);
			Obstacle obstacle = lane.obstacle(now);
			long nanoTime = this.environment.nanoTime().getAsLong();
			if (!waited) {
				waited = true;
				start = nanoTime;
				this.waits.increment();
			}
			long left = this.settings.acquireTimeout().toNanos() - (nanoTime - start);
			if (this.stopped || obstacle == Obstacle.LAYOUT_USED_UP || left <= 0) {
				throw unavailable(lane, obstacle);
			}
			if (obstacle == Obstacle.LEAD) {
				demand();
				park(Math.min(left, lane.untilWithinLead(now).toNanos()), nanoTime);
				// a wake-up may have removed this thread from the queue while the thread
				// was parked
				queued = false;
			}
			else if (!queued) {
				Thread caller = Thread.currentThread();
				this.waiting.add(() -> LockSupport.unpark(caller));
				queued = true;
				continue;
			}
			else {
				park(left, nanoTime);
				queued = false;
			}
			if (Thread.currentThread().isInterrupted()) {
				throw new IdGenerationException("The thread was interrupted while it waited for a snowflake ID");
			}
		}
	}

	private void demand() {
		if (!this.demand) {
			// The field is written only if its value changes. Every caller reads the
			// neighbouring fields, which share a cache line with this field, and a write
			// would slow down these reads.
			this.demand = true;
		}
	}

	private void park(long nanos, long now) {
		this.environment.park().accept(nanos);
		this.waitedNanos.add(this.environment.nanoTime().getAsLong() - now);
	}

	// Returns a lane that waits only for the clock, because such a lane is ready sooner
	// than a lane that waits for the keeper. If there is no such lane, returns the
	// thread's own lane.
	private static SnowflakeLane soonest(SnowflakeLane[] lanes, int own, long now) {
		for (int i = 0; i < lanes.length; i++) {
			SnowflakeLane lane = lanes[(own + i) % lanes.length];
			if (lane.obstacle(now) == Obstacle.LEAD) {
				return lane;
			}
		}
		return lanes[own];
	}

	// Returns the index of the current thread's lane: the ID of the thread modulo the
	// number of lanes. Threads that draw at the same time were usually created together
	// and therefore have consecutive thread IDs, so they spread evenly over the lanes.
	private static int ownLane(int lanes) {
		if (lanes == 1) {
			return 0;
		}
		int thread = (int) Thread.currentThread().getId();
		boolean powerOfTwo = (lanes & (lanes - 1)) == 0;
		// for a power of two, avoids the division, which is slow
		return powerOfTwo ? thread & (lanes - 1) : Integer.remainderUnsigned(thread, lanes);
	}

	private IdGenerationException unavailable(SnowflakeLane lane, Obstacle obstacle) {
		if (this.stopped) {
			return new IdGenerationException("The snowflake generator has been closed: it issues no more IDs");
		}
		String timeout = DurationText.of(this.settings.acquireTimeout());
		return switch (obstacle) {
			case LAYOUT_USED_UP -> new IdGenerationException(
					"The layout %s ran out at %s: no more snowflake IDs can be issued. Choose a layout with more leaf.snowflake.layout.timestamp-bits, and a new leaf.name"
						.formatted(this.settings.layout(), this.settings.layout().exhaustedAt()));
			case LEAD -> new IdGenerationException(
					"No snowflake ID within leaf.snowflake.acquire-timeout (%s): callers request IDs faster than this process can issue them (%d per second with each of its %d worker ID(s)). Raise leaf.snowflake.max-lanes (%d), unless leaf.snowflake.worker.source is file, or choose a layout with more leaf.snowflake.layout.sequence-bits"
						.formatted(timeout, this.settings.layout().idsPerSecond(), this.lanes.size(),
								this.settings.maxLanes()));
			case HORIZON -> new WorkerIdUnavailableException(
					"No snowflake ID within leaf.snowflake.acquire-timeout (%s): worker ID %d may be used until %s, and this time has not been extended%s. It is extended as soon as the store has renewed the lease and the state file has been written"
						.formatted(timeout, lane.workerId(), Instant.ofEpochMilli(lane.horizon()), reason()),
					this.failure);
			case SEALED -> new WorkerIdUnavailableException(
					"No snowflake ID within leaf.snowflake.acquire-timeout (%s): this process holds no worker ID at present%s. It claims a worker ID as soon as one is free in the store of the leases"
						.formatted(timeout, reason()),
					this.failure);
		};
	}

	private String reason() {
		Throwable failure = this.failure;
		return (failure != null) ? " (" + failure.getMessage() + ")" : "";
	}

	/**
	 * Adds a lane, which starts above every tick that the other lanes have used.
	 * @param workerId the worker ID that was leased
	 * @param spentUntil the largest timestamp that may have been used with the worker ID
	 * before, in milliseconds since 1970-01-01T00:00:00Z
	 * @param horizon the largest timestamp that may be used with the worker ID
	 * @return the lane, open to callers
	 */
	public SnowflakeLane add(long workerId, long spentUntil, long horizon) {
		long used = 0;
		for (SnowflakeLane lane : this.lanes) {
			used = Math.max(used, tickOf(lane.lastUsed()));
		}
		SnowflakeLane added = open(workerId, spentUntil, used, horizon);
		List<SnowflakeLane> lanes = new ArrayList<>(this.lanes);
		lanes.add(added);
		publish(lanes);
		return added;
	}

	/**
	 * Seals a lane and replaces it by a new lane, whose IDs are greater than all IDs of
	 * the old lane. If the old lane is not in the list, because an earlier call replaced
	 * it and then ended with an {@link Error}, this call adds its new lane to the list.
	 * @param old the lane to replace
	 * @param workerId the worker ID that was leased instead
	 * @param spentUntil the largest timestamp that may have been used with the worker ID
	 * before, in milliseconds since 1970-01-01T00:00:00Z
	 * @param horizon the largest timestamp that may be used with the worker ID
	 * @return the new lane, open to callers
	 */
	public SnowflakeLane replace(SnowflakeLane old, long workerId, long spentUntil, long horizon) {
		SnowflakeLane added = open(workerId, spentUntil, old.seal(), horizon);
		added.countOn(old);
		List<SnowflakeLane> lanes = new ArrayList<>(this.lanes);
		lanes.replaceAll((lane) -> (lane == old) ? added : lane);
		if (!lanes.contains(added)) {
			lanes.add(added);
		}
		publish(lanes);
		return added;
	}

	/**
	 * Seals a lane and removes it. The other lanes continue.
	 * @param lane the lane to remove
	 */
	public void remove(SnowflakeLane lane) {
		lane.seal();
		List<SnowflakeLane> lanes = new ArrayList<>(this.lanes);
		lanes.remove(lane);
		publish(lanes);
		this.removedIssued.add(lane.issuedIds());
	}

	private SnowflakeLane open(long workerId, long spentUntil, long usedTick, long horizon) {
		SnowflakeLane lane = lane(workerId);
		lane.open(spentUntil, usedTick, horizon);
		if (this.stopped) {
			lane.seal();
		}
		return lane;
	}

	private long tickOf(long millis) {
		return this.settings.layout().ticks().tickOf(millis);
	}

	private void publish(List<SnowflakeLane> lanes) {
		this.lanes = List.copyOf(lanes);
		this.drawnFrom = lanes.toArray(SnowflakeLane[]::new);
		if (this.stopped) {
			// stop() may have read the list of lanes before the new list was set
			this.lanes.forEach(SnowflakeLane::seal);
		}
		wakeUp();
	}

	/**
	 * Wakes the callers that wait for a lane or a later horizon. To be called after a
	 * lane or a horizon has changed.
	 */
	public void wakeUp() {
		// Empties the queue before waking any caller. Callers that must wait again return
		// to the queue, so if they were woken while the queue is being emptied, this loop
		// might never end.
		List<Runnable> wakeUps = new ArrayList<>();
		Runnable wakeUp;
		while ((wakeUp = this.waiting.poll()) != null) {
			wakeUps.add(wakeUp);
		}
		wakeUps.forEach(Runnable::run);
	}

	/**
	 * Seals all lanes permanently. Callers get an exception from now on.
	 */
	public void stop() {
		this.stopped = true;
		this.lanes.forEach(SnowflakeLane::seal);
		wakeUp();
		this.environment.async().close();
	}

	/**
	 * Sets the failure to report to callers that time out.
	 * @param failure why the last attempt to open the store or to renew a lease failed,
	 * or {@code null} if it succeeded
	 */
	public void failure(@Nullable Throwable failure) {
		this.failure = failure;
	}

	/**
	 * Returns whether, since the last call of this method, a caller has had to wait
	 * because the lanes had used all timestamps that {@code leaf.snowflake.max-lead}
	 * allows.
	 * @return whether a further lane would help
	 */
	public boolean takeDemand() {
		boolean demanded = this.demand;
		this.demand = false;
		return demanded;
	}

	/**
	 * Returns the lanes.
	 * @return the lanes, in the order in which they were added
	 */
	public List<SnowflakeLane> all() {
		return this.lanes;
	}

	/**
	 * Returns the settings.
	 * @return how IDs are issued
	 */
	public SnowflakeSettings settings() {
		return this.settings;
	}

	/**
	 * Returns the clock.
	 * @return the clock whose time the IDs contain
	 */
	public GeneratorClock clock() {
		return this.clock;
	}

	/**
	 * Returns how many IDs have been issued. The number is computed from the states of
	 * the lanes.
	 * @return how many IDs, never less than at an earlier call
	 */
	public long issued() {
		// While a lane is being removed, its IDs may be counted neither in removedIssued
		// nor in the sum over the lanes. The sum may then be less than an earlier result,
		// which is returned instead.
		long issued = this.removedIssued.sum();
		for (SnowflakeLane lane : this.lanes) {
			issued += lane.issuedIds();
		}
		return this.mostIssued.accumulateAndGet(issued, Math::max);
	}

	/**
	 * Returns how many calls had to wait.
	 * @return how many calls, including those that failed
	 */
	public long waits() {
		return this.waits.sum();
	}

	/**
	 * Returns how long calls have waited in total.
	 * @return the sum of their waiting times
	 */
	public Duration waited() {
		return Duration.ofNanos(this.waitedNanos.sum());
	}

	/**
	 * Returns how far the timestamps of the issued IDs run ahead of the clock.
	 * @return milliseconds, zero or more
	 */
	public long leadMillis() {
		long now = this.clock.millis();
		long lead = 0;
		for (SnowflakeLane lane : this.lanes) {
			lead = Math.max(lead, lane.lastUsed() - now);
		}
		return lead;
	}

	/**
	 * An asynchronous call for one ID.
	 */
	private final class Call extends AsyncCall {

		private boolean counted;

		private boolean waits;

		private long waitsSince;

		private @Nullable Runnable queued;

		Call() {
			super(SnowflakeLanes.this.environment.async(), SnowflakeLanes.this.settings.acquireTimeout());
		}

		@Override
		protected void attempt() {
			endWait();
			long id = tryNext();
			while (id == SnowflakeLane.NONE && !waits()) {
				id = tryNext();
			}
			if (id != SnowflakeLane.NONE) {
				serve(id);
			}
		}

		// Returns whether the call has to wait now. Returns false if this method has just
		// added the call to the queue. In this case, attempt() tries once more, because
		// an ID may have become available before the call was in the queue. Throws an
		// exception if waiting is useless.
		private boolean waits() {
			long now = SnowflakeLanes.this.clock.millis();
			SnowflakeLane[] lanes = SnowflakeLanes.this.drawnFrom;
			SnowflakeLane lane = soonest(lanes, ownLane(lanes.length), now);
			Obstacle obstacle = lane.obstacle(now);
			beginWait();
			if (SnowflakeLanes.this.stopped || obstacle == Obstacle.LAYOUT_USED_UP || isExpired()) {
				throw unavailable(lane, obstacle);
			}
			if (obstacle == Obstacle.LEAD) {
				demand();
				resumeAfter(lane.untilWithinLead(now));
				return true;
			}
			if (this.queued == null) {
				this.queued = resumption();
				SnowflakeLanes.this.waiting.add(this.queued);
				return false;
			}
			return true;
		}

		private void beginWait() {
			if (!this.counted) {
				this.counted = true;
				SnowflakeLanes.this.waits.increment();
			}
			if (!this.waits) {
				this.waits = true;
				this.waitsSince = SnowflakeLanes.this.environment.nanoTime().getAsLong();
			}
		}

		private void endWait() {
			if (this.waits) {
				this.waits = false;
				SnowflakeLanes.this.waitedNanos
					.add(SnowflakeLanes.this.environment.nanoTime().getAsLong() - this.waitsSince);
			}
			if (this.queued != null) {
				SnowflakeLanes.this.waiting.remove(this.queued);
				this.queued = null;
			}
		}

		@Override
		protected void ended() {
			endWait();
		}

		@Override
		protected void undelivered() {
			// the ID is skipped
		}

	}

}
