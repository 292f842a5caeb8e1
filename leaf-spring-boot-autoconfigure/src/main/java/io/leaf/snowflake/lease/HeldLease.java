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

import java.util.OptionalLong;
import java.util.function.LongSupplier;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One claim on a worker ID, from the moment it succeeded: the version of the register
 * that this process wrote or read last, and the horizon that the store has confirmed.
 * <p>
 * A write that is answered moves both on. A write without an answer, or one that is
 * refused because the version has changed, proves nothing by itself: it may be this
 * claim's own earlier write that has arrived. So the register is read, and only what it
 * shows is believed: with this claim as its owner, its version and horizon are taken
 * over; with the version known, nothing has arrived yet, and the next attempt repeats the
 * write; with anything else, the lease is lost.
 * <p>
 * For one thread at a time, except for {@link #horizon()}, which any may read.
 */
final class HeldLease {

	/**
	 * The version of a claim that was remembered through a restart. No register has it.
	 */
	private static final long UNKNOWN = -2;

	private static final Logger logger = LoggerFactory.getLogger(HeldLease.class);

	private final WorkerLeaseStore store;

	private final LongSupplier wallClock;

	private final long workerId;

	private final String owner;

	private final String host;

	private final long since;

	private final long floor;

	private long version;

	private volatile long horizon;

	private @Nullable WorkerLeaseStoreException failure;

	private boolean blocked;

	/**
	 * Holds what was claimed.
	 * @param wallClock what is reported with each write
	 * @param floor the largest timestamp that others may have used with this worker ID
	 */
	HeldLease(WorkerLeaseStore store, LongSupplier wallClock, long workerId, WorkerLease lease, long version,
			long floor) {
		this.store = store;
		this.wallClock = wallClock;
		this.workerId = workerId;
		this.owner = lease.owner();
		this.host = lease.host();
		this.since = lease.since();
		this.floor = floor;
		this.version = version;
		this.horizon = lease.horizon();
	}

	/**
	 * Goes on with a claim of an earlier process, above what that may have used.
	 */
	static HeldLease resume(WorkerLeaseStore store, LongSupplier wallClock, RememberedLease remembered, String host) {
		long now = wallClock.getAsLong();
		WorkerLease lease = new WorkerLease(remembered.owner(), remembered.horizon(), host, now, now);
		return new HeldLease(store, wallClock, remembered.workerId(), lease, UNKNOWN, remembered.reservedUntil());
	}

	long workerId() {
		return this.workerId;
	}

	String owner() {
		return this.owner;
	}

	long floor() {
		return this.floor;
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
	 * Moves the horizon on.
	 * @param now the generator's clock
	 * @param lastUsed the largest timestamp issued
	 * @param window how far the horizon is to lie ahead of both
	 */
	Outcome renew(long now, long lastUsed, long window) {
		long wanted = Math.max(this.horizon, Math.max(now, lastUsed) + window);
		WorkerLease renewed = lease(this.owner, wanted);
		Outcome outcome = attempt(renewed);
		// the claim was found again, but by an older write than this one
		return (outcome == Outcome.MINE) ? attempt(renewed) : outcome;
	}

	private WorkerLease lease(String owner, long horizon) {
		return new WorkerLease(owner, horizon, this.host, this.since, this.wallClock.getAsLong());
	}

	private Outcome attempt(WorkerLease lease) {
		this.failure = null;
		try {
			if (this.version != UNKNOWN) {
				OptionalLong written = this.store.write(this.workerId, this.version, lease);
				if (written.isPresent()) {
					this.version = written.getAsLong();
					this.horizon = lease.horizon();
					return Outcome.DONE;
				}
			}
		}
		catch (WorkerLeaseStoreException ex) {
			this.failure = ex;
		}
		return look(lease);
	}

	private Outcome look(WorkerLease wanted) {
		LeaseRegister register;
		try {
			register = this.store.read(this.workerId);
		}
		catch (WorkerLeaseStoreException ex) {
			if (this.failure == null) {
				this.failure = ex;
			}
			return Outcome.UNKNOWN;
		}
		if (register == null) {
			logger.warn("Worker ID {} is lost: its register was removed", this.workerId);
			return Outcome.LOST;
		}
		if (register.blockedBy() != null) {
			if (!this.blocked) {
				logger.error("Worker ID {} is not used any more: {}", this.workerId, register.blockedBy());
			}
			this.blocked = true;
			return Outcome.BLOCKED;
		}
		if (register.version() == this.version) {
			return Outcome.UNKNOWN;
		}
		if (!register.lease().owner().equals(this.owner)) {
			boolean released = wanted.isReleased() && register.lease().equals(wanted);
			return released ? Outcome.DONE : Outcome.LOST;
		}
		this.version = register.version();
		this.horizon = Math.max(this.horizon, register.lease().horizon());
		return (this.horizon >= wanted.horizon() && !wanted.isReleased()) ? Outcome.DONE : Outcome.MINE;
	}

	/**
	 * Gives the worker ID back. Nothing may be issued with it any more.
	 * @param lastUsed the largest timestamp issued
	 * @return whether it is certain that the worker ID is free
	 */
	boolean release(long lastUsed) {
		WorkerLease released = lease(WorkerLease.NOBODY, lastUsed);
		Outcome outcome = attempt(released);
		if (outcome == Outcome.MINE || outcome == Outcome.UNKNOWN) {
			outcome = attempt(released);
		}
		return outcome == Outcome.DONE;
	}

	/**
	 * What became of a write.
	 */
	enum Outcome {

		/**
		 * It took effect.
		 */
		DONE,

		/**
		 * It did not, but the register is this claim's, and its version is known again.
		 */
		MINE,

		/**
		 * Nobody knows. What was confirmed before still holds.
		 */
		UNKNOWN,

		/**
		 * The register is somebody else's. What was confirmed before still holds.
		 */
		LOST,

		/**
		 * Somebody uses the worker ID who knows nothing of registers. Nothing holds any
		 * more.
		 */
		BLOCKED

	}

}
