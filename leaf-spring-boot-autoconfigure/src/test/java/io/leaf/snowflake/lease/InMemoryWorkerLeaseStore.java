// SPDX-License-Identifier: Apache-2.0

package io.leaf.snowflake.lease;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

import io.leaf.snowflake.SnowflakeLayout;
import org.jspecify.annotations.Nullable;

/**
 * A store in memory whose answers can be delayed, lost and reordered. Instances created
 * with {@link #another()} represent other processes with the same lease records.
 */
public final class InMemoryWorkerLeaseStore implements WorkerLeaseStore {

	private final LeaseRecords records;

	private final Deque<Fault> faults = new ArrayDeque<>();

	private final List<Runnable> delayed = new ArrayList<>();

	private long maxWorkerId = Long.MAX_VALUE;

	private boolean down;

	private boolean hasClock = true;

	private @Nullable Runnable readAllFails;

	private Runnable afterReadAll = () -> {
	};

	private LongConsumer beforeWrite = (workerId) -> {
	};

	private boolean open;

	private int timesClosed;

	private Runnable back = () -> {
	};

	/**
	 * Creates a store.
	 * @param clock the store's own clock, in milliseconds
	 */
	public InMemoryWorkerLeaseStore(LongSupplier clock) {
		this(new LeaseRecords(clock));
		this.open = true;
	}

	private InMemoryWorkerLeaseStore(LeaseRecords records) {
		this.records = records;
	}

	/**
	 * Returns the same lease records as seen by another process.
	 */
	public InMemoryWorkerLeaseStore another() {
		return new InMemoryWorkerLeaseStore(this.records);
	}

	/**
	 * Makes the next writes fail, one for each fault.
	 */
	public void failWrites(Fault... next) {
		this.faults.addAll(List.of(next));
	}

	public void loseWrites(int count) {
		for (int i = 0; i < count; i++) {
			failWrites(Fault.LOST);
		}
	}

	/**
	 * Makes all requests of this process fail, or succeed again.
	 */
	public void down(boolean isDown) {
		boolean isBack = this.down && !isDown;
		this.down = isDown;
		if (isBack) {
			this.back.run();
		}
	}

	@Override
	public void whenBack(Runnable action) {
		this.back = action;
	}

	/**
	 * Completes the delayed writes, in the order in which they were sent.
	 */
	public void deliver() {
		List<Runnable> writes = List.copyOf(this.delayed);
		this.delayed.clear();
		writes.forEach(Runnable::run);
	}

	/**
	 * Writes a lease record, as another process would.
	 */
	public void put(long workerId, Lease lease, @Nullable String blockedBy) {
		this.records.byWorkerId.put(workerId,
				new LeaseRecord(workerId, lease, this.records.clock.getAsLong(), blockedBy));
	}

	/**
	 * Removes a lease record, as if the store had been restored to a time before it was
	 * created.
	 */
	public void remove(long workerId) {
		this.records.byWorkerId.remove(workerId);
	}

	@Override
	public String source() {
		return "memory";
	}

	@Override
	public @Nullable String identity() {
		return this.records.identity;
	}

	public void identity(@Nullable String identity) {
		this.records.identity = identity;
	}

	@Override
	public void open(SnowflakeLayout layout) {
		checkReachable();
		this.maxWorkerId = layout.maxWorkerId();
		if (this.records.layout == null) {
			this.records.layout = layout.toString();
		}
		if (!layout.toString().equals(this.records.layout)) {
			throw new WorkerLeaseStoreException(
					"The layout leaf.snowflake.layout.* of this process is %s, but %s is recorded".formatted(layout,
							this.records.layout),
					null, true);
		}
		this.open = true;
	}

	/**
	 * Makes the next attempt to read all lease records fail.
	 * @param then an action that runs at that moment
	 */
	public void failReadAll(Runnable then) {
		this.readAllFails = then;
	}

	/**
	 * Sets an action that runs each time after all lease records have been read.
	 */
	public void afterReadAll(Runnable action) {
		this.afterReadAll = action;
	}

	/**
	 * Sets an action that runs before each write, with its worker ID.
	 */
	public void beforeWrite(LongConsumer action) {
		this.beforeWrite = action;
	}

	@Override
	public List<LeaseRecord> readAll() {
		check();
		Runnable failing = this.readAllFails;
		if (failing != null) {
			this.readAllFails = null;
			failing.run();
			throw new WorkerLeaseStoreException("The store is unavailable", null, false);
		}
		List<LeaseRecord> read = List.copyOf(this.records.byWorkerId.values());
		this.afterReadAll.run();
		return read;
	}

	@Override
	public @Nullable LeaseRecord read(long workerId) {
		check();
		return this.records.byWorkerId.get(workerId);
	}

	@Override
	public boolean write(long workerId, long version, Lease lease) {
		check();
		this.beforeWrite.accept(workerId);
		Fault fault = this.faults.poll();
		if (fault == null) {
			return this.records.write(workerId, version, lease);
		}
		switch (fault) {
			case ANSWER_LOST -> this.records.write(workerId, version, lease);
			case DELAYED -> this.delayed.add(() -> this.records.write(workerId, version, lease));
			case LOST -> {
			}
		}
		throw new WorkerLeaseStoreException("No answer (%s)".formatted(fault), null, false);
	}

	@Override
	public OptionalLong newWorkerId(Set<Long> except) {
		check();
		for (long workerId = 0; workerId <= this.maxWorkerId; workerId++) {
			if (!except.contains(workerId) && !this.records.byWorkerId.containsKey(workerId)) {
				return OptionalLong.of(workerId);
			}
		}
		return OptionalLong.empty();
	}

	/**
	 * Removes the clock of the store, so that it has no clock, like the file store.
	 */
	public void withoutClock() {
		this.hasClock = false;
	}

	@Override
	public OptionalLong currentTime() {
		check();
		return this.hasClock ? OptionalLong.of(this.records.clock.getAsLong()) : OptionalLong.empty();
	}

	private void check() {
		if (!this.open) {
			throw new IllegalStateException("open() must be called first");
		}
		checkReachable();
	}

	private void checkReachable() {
		if (this.down) {
			throw new WorkerLeaseStoreException("The store is unavailable", null, false);
		}
	}

	@Override
	public void close() {
		this.timesClosed++;
	}

	/**
	 * Returns how many writes of all processes have taken effect.
	 */
	public int writes() {
		return this.records.writes;
	}

	public int timesClosed() {
		return this.timesClosed;
	}

	/**
	 * The outcome of a write whose caller gets no answer.
	 */
	public enum Fault {

		/**
		 * The write took effect.
		 */
		ANSWER_LOST,

		/**
		 * The write never takes effect.
		 */
		LOST,

		/**
		 * The write takes effect later, if nothing else has been written by then.
		 */
		DELAYED

	}

	private static final class LeaseRecords {

		private final LongSupplier clock;

		private final TreeMap<Long, LeaseRecord> byWorkerId = new TreeMap<>();

		private int writes;

		private @Nullable String layout;

		private @Nullable String identity = "memory 1";

		LeaseRecords(LongSupplier clock) {
			this.clock = clock;
		}

		boolean write(long workerId, long version, Lease lease) {
			LeaseRecord old = this.byWorkerId.get(workerId);
			if (version != ((old != null) ? old.version() : ABSENT) || (old != null && old.blockedBy() != null)) {
				return false;
			}
			this.writes++;
			this.byWorkerId.put(workerId, new LeaseRecord(workerId, lease, this.clock.getAsLong(), null));
			return true;
		}

	}

}
