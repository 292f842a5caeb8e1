// SPDX-License-Identifier: Apache-2.0

package io.leaf.snowflake.lease;

import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

import io.leaf.snowflake.lease.LeaseMemory.RememberedLease;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One claim on a worker ID, from the moment at which it succeeded: the version of the
 * register that this process wrote or read last, and the horizon that the store has
 * confirmed.
 * <p>
 * A write that is answered moves both on. A write without an answer, or one that was
 * refused because the version has changed, proves nothing by itself: it may be this
 * claim's own earlier write that has arrived. So the register is read. If it has the
 * known version, nothing has arrived. If it has the version of a write whose outcome was
 * unknown, that version is taken over, and the next write replaces it; the horizon still
 * counts only when a write is answered, since what a server shows may not be on the
 * others yet. If it is not, the register may come back to the version before.
 * <p>
 * With anything else the lease is lost, for good. Another process owns the register, or
 * the store went back: the register is missing, or has an earlier horizon than it has
 * confirmed. Or a copy of this process writes in its name, which a version tells that
 * none of this process's writes carried. (The first exchange after a restart from a state
 * file takes over whatever version the process before has left.)
 * <p>
 * For one thread at a time, except for {@link #horizon()}, which any may read.
 */
final class HeldLease {

	/**
	 * The version of a claim that was remembered through a restart. No register has it.
	 */
	private static final long UNKNOWN = -2;

	/**
	 * How many writes of unknown outcome are remembered. One that arrives after so many
	 * others makes the process claim another worker ID.
	 */
	private static final int MAX_UNANSWERED = 1000;

	private static final Logger logger = LoggerFactory.getLogger(HeldLease.class);

	private final WorkerLeaseStore store;

	private final LongSupplier wallClock;

	private final RandomGenerator random;

	private final long workerId;

	private final WorkerLease claim;

	private long floor;

	private final Set<Long> unanswered = new LinkedHashSet<>();

	private long version;

	private volatile long horizon;

	private @Nullable WorkerLeaseStoreException failure;

	private boolean lost;

	/**
	 * Holds what was claimed.
	 * @param wallClock what is reported with each write
	 * @param random for the versions of its writes
	 * @param floor the largest timestamp that may have been used with this worker ID
	 */
	HeldLease(WorkerLeaseStore store, LongSupplier wallClock, RandomGenerator random, long workerId, WorkerLease claim,
			long floor) {
		this.store = store;
		this.wallClock = wallClock;
		this.random = random;
		this.workerId = workerId;
		this.claim = claim;
		this.floor = floor;
		this.version = claim.version();
		this.horizon = claim.horizon();
	}

	/**
	 * Goes on with a claim of an earlier process, above what that may have used.
	 */
	static HeldLease resume(WorkerLeaseStore store, LongSupplier wallClock, RandomGenerator random,
			RememberedLease remembered, String host) {
		long now = wallClock.getAsLong();
		WorkerLease lease = new WorkerLease(remembered.owner(), remembered.horizon(), host, now, now, UNKNOWN);
		return new HeldLease(store, wallClock, random, remembered.workerId(), lease, remembered.reservedUntil());
	}

	long workerId() {
		return this.workerId;
	}

	String owner() {
		return this.claim.owner();
	}

	long floor() {
		return this.floor;
	}

	/**
	 * Notes that the worker ID may have been used up to a timestamp.
	 */
	void raiseFloor(long used) {
		this.floor = Math.max(this.floor, used);
	}

	/**
	 * Returns the largest timestamp that the store has confirmed for this claim.
	 */
	long horizon() {
		return this.horizon;
	}

	/**
	 * Returns why the outcome of the last attempt is unknown.
	 */
	@Nullable WorkerLeaseStoreException failure() {
		return this.failure;
	}

	/**
	 * Returns whether the claim has ended. Nothing may be issued with it any more.
	 */
	boolean isLost() {
		return this.lost;
	}

	/**
	 * Moves the horizon on, unless the claim has ended.
	 * @param now the generator's clock
	 * @param lastUsed the largest timestamp issued
	 * @param window how far the horizon is to lie ahead of both
	 * @return whether the store has confirmed the new horizon
	 */
	boolean renew(long now, long lastUsed, long window) {
		return write(owner(), Math.max(this.horizon, Math.max(now, lastUsed) + window));
	}

	/**
	 * Gives the worker ID back. Nothing may be issued with it any more.
	 * @param lastUsed the largest timestamp issued
	 * @return whether it is certain that the worker ID is free
	 */
	boolean release(long lastUsed) {
		return write(WorkerLease.NOBODY, lastUsed) || write(WorkerLease.NOBODY, lastUsed);
	}

	private boolean write(String owner, long horizon) {
		if (this.lost) {
			return false;
		}
		long before = this.version;
		boolean written = attempt(owner, horizon);
		// an earlier write had arrived, or the claim was remembered: on top of that
		return written || (!this.lost && this.version != before && attempt(owner, horizon));
	}

	private boolean attempt(String owner, long horizon) {
		this.failure = null;
		WorkerLease lease = new WorkerLease(owner, horizon, this.claim.host(), this.claim.since(),
				this.wallClock.getAsLong(), this.random.nextLong(WorkerLease.MAX_VERSION));
		try {
			if (this.version != UNKNOWN) {
				remember(lease.version());
				if (this.store.write(this.workerId, this.version, lease)) {
					this.version = lease.version();
					this.unanswered.clear();
					this.horizon = Math.max(this.horizon, horizon);
					return true;
				}
			}
		}
		catch (WorkerLeaseStoreException ex) {
			this.failure = ex;
		}
		return look(lease);
	}

	private void remember(long version) {
		if (this.unanswered.size() == MAX_UNANSWERED) {
			this.unanswered.remove(this.unanswered.iterator().next());
		}
		this.unanswered.add(version);
	}

	private boolean look(WorkerLease wanted) {
		LeaseRegister register;
		try {
			register = this.store.read(this.workerId);
		}
		catch (WorkerLeaseStoreException ex) {
			if (this.failure == null) {
				this.failure = ex;
			}
			return false;
		}
		if (register != null && register.version() == this.version && register.blockedBy() == null) {
			return false;
		}
		if (register != null && wanted.isReleased() && register.version() == wanted.version()) {
			return true;
		}
		String end = end(register);
		if (register == null || end != null) {
			logger.warn("This process stops using worker ID {}: {}", this.workerId, end);
			this.lost = true;
		}
		else {
			// the write that arrived was not confirmed, and may yet be lost in a failover
			remember(this.version);
			this.version = register.version();
		}
		return false;
	}

	private @Nullable String end(@Nullable LeaseRegister register) {
		if (register == null) {
			return "the store has lost its register";
		}
		if (register.blockedBy() != null) {
			return register.blockedBy();
		}
		WorkerLease lease = register.lease();
		if (!lease.owner().equals(owner())) {
			return lease.isReleased() ? "it has been claimed and released by " + lease.host()
					: "it has been claimed by " + lease.host();
		}
		if (lease.horizon() < this.horizon) {
			return "the store went back to an earlier state of its register";
		}
		return (this.version == UNKNOWN || this.unanswered.contains(register.version())) ? null
				: "a copy of this process renews it";
	}

}
