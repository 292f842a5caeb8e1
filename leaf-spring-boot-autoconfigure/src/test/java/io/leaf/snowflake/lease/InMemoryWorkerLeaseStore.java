// SPDX-License-Identifier: Apache-2.0

package io.leaf.snowflake.lease;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.LongSupplier;

import io.leaf.snowflake.SnowflakeLayout;
import org.jspecify.annotations.Nullable;

/**
 * A store in memory whose answers can be delayed, lost and reordered. Instances made with
 * {@link #another()} are other processes at the same registers.
 */
public final class InMemoryWorkerLeaseStore implements WorkerLeaseStore {

	private final Registers registers;

	private final Deque<Fault> faults = new ArrayDeque<>();

	private final List<Runnable> delayed = new ArrayList<>();

	private long maxWorkerId = Long.MAX_VALUE;

	private boolean down;

	private boolean hasClock = true;

	private @Nullable Runnable readAllFails;

	private boolean open;

	private int timesClosed;

	private Runnable back = () -> {
	};

	/**
	 * Creates a store.
	 * @param clock the store's own clock, in milliseconds
	 */
	public InMemoryWorkerLeaseStore(LongSupplier clock) {
		this(new Registers(clock));
		this.open = true;
	}

	private InMemoryWorkerLeaseStore(Registers registers) {
		this.registers = registers;
	}

	/**
	 * Returns the same registers as another process sees them.
	 */
	public InMemoryWorkerLeaseStore another() {
		return new InMemoryWorkerLeaseStore(this.registers);
	}

	/**
	 * Lets the next writes fail, one each.
	 */
	public void failWrites(Fault... next) {
		this.faults.addAll(List.of(next));
	}

	/**
	 * Lets all requests of this process fail, or no longer.
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
	 * Lets the writes that were delayed arrive, in the order in which they were sent.
	 */
	public void deliver() {
		List<Runnable> writes = List.copyOf(this.delayed);
		this.delayed.clear();
		writes.forEach(Runnable::run);
	}

	/**
	 * Puts a register in, as if another process had written it.
	 */
	public void put(long workerId, WorkerLease lease, @Nullable String blockedBy) {
		this.registers.byWorkerId.put(workerId,
				new LeaseRegister(workerId, lease, this.registers.clock.getAsLong(), blockedBy));
	}

	/**
	 * Removes a register, as a store does that went back to a time before it was created.
	 */
	public void remove(long workerId) {
		this.registers.byWorkerId.remove(workerId);
	}

	@Override
	public String source() {
		return "memory";
	}

	@Override
	public @Nullable String identity() {
		return this.registers.identity;
	}

	/**
	 * Has the processes know the store by another name, or by none.
	 */
	public void identity(@Nullable String identity) {
		this.registers.identity = identity;
	}

	@Override
	public void open(SnowflakeLayout layout) {
		checkReachable();
		this.maxWorkerId = layout.maxWorkerId();
		if (this.registers.layout == null) {
			this.registers.layout = layout.toString();
		}
		if (!layout.toString().equals(this.registers.layout)) {
			throw new WorkerLeaseStoreException("The layout leaf.snowflake.layout is %s, but %s is recorded"
				.formatted(layout, this.registers.layout), null, true);
		}
		this.open = true;
	}

	/**
	 * Lets the next attempt to read all registers fail.
	 * @param then what runs at that moment
	 */
	public void failReadAll(Runnable then) {
		this.readAllFails = then;
	}

	@Override
	public List<LeaseRegister> readAll() {
		check();
		Runnable failing = this.readAllFails;
		if (failing != null) {
			this.readAllFails = null;
			failing.run();
			throw new WorkerLeaseStoreException("The store is away", null, false);
		}
		return List.copyOf(this.registers.byWorkerId.values());
	}

	@Override
	public @Nullable LeaseRegister read(long workerId) {
		check();
		return this.registers.byWorkerId.get(workerId);
	}

	@Override
	public boolean write(long workerId, long version, WorkerLease lease) {
		check();
		Fault fault = this.faults.poll();
		if (fault == null) {
			return this.registers.write(workerId, version, lease);
		}
		switch (fault) {
			case ANSWER_LOST -> this.registers.write(workerId, version, lease);
			case DELAYED -> this.delayed.add(() -> this.registers.write(workerId, version, lease));
			case LOST -> {
			}
		}
		throw new WorkerLeaseStoreException("No answer (%s)".formatted(fault), null, false);
	}

	@Override
	public OptionalLong newWorkerId(Set<Long> except) {
		check();
		for (long workerId = 0; workerId <= this.maxWorkerId; workerId++) {
			if (!except.contains(workerId) && !this.registers.byWorkerId.containsKey(workerId)) {
				return OptionalLong.of(workerId);
			}
		}
		return OptionalLong.empty();
	}

	/**
	 * Has the store no clock of its own, as one that is a file.
	 */
	public void withoutClock() {
		this.hasClock = false;
	}

	@Override
	public OptionalLong currentTime() {
		check();
		return this.hasClock ? OptionalLong.of(this.registers.clock.getAsLong()) : OptionalLong.empty();
	}

	private void check() {
		if (!this.open) {
			throw new IllegalStateException("open() comes first");
		}
		checkReachable();
	}

	private void checkReachable() {
		if (this.down) {
			throw new WorkerLeaseStoreException("The store is away", null, false);
		}
	}

	@Override
	public void close() {
		this.timesClosed++;
	}

	/**
	 * Returns how many writes have taken effect, of all processes.
	 */
	public int writes() {
		return this.registers.writes;
	}

	/**
	 * Returns how many times it was closed.
	 */
	public int timesClosed() {
		return this.timesClosed;
	}

	/**
	 * What may become of a write whose caller gets no answer.
	 */
	public enum Fault {

		/**
		 * It took effect.
		 */
		ANSWER_LOST,

		/**
		 * It never takes effect.
		 */
		LOST,

		/**
		 * It takes effect later, if nothing has been written by then.
		 */
		DELAYED

	}

	private static final class Registers {

		private final LongSupplier clock;

		private final TreeMap<Long, LeaseRegister> byWorkerId = new TreeMap<>();

		private int writes;

		private @Nullable String layout;

		private @Nullable String identity = "memory 1";

		Registers(LongSupplier clock) {
			this.clock = clock;
		}

		boolean write(long workerId, long version, WorkerLease lease) {
			LeaseRegister old = this.byWorkerId.get(workerId);
			if (version != ((old != null) ? old.version() : ABSENT) || (old != null && old.blockedBy() != null)) {
				return false;
			}
			this.writes++;
			this.byWorkerId.put(workerId, new LeaseRegister(workerId, lease, this.clock.getAsLong(), null));
			return true;
		}

	}

}
