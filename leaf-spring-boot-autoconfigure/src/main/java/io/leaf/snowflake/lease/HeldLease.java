// SPDX-License-Identifier: Apache-2.0

package io.leaf.snowflake.lease;

import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

import io.leaf.snowflake.lease.SavedLeaseStore.SavedLease;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A claim of this process on a worker ID. It holds the version of the lease record that
 * this process wrote or read last (the known version), and the horizon that the store has
 * confirmed.
 * <p>
 * A write that the store confirms updates both. If a write gets no answer, it may have
 * arrived. If a write is refused because the version has changed, an earlier write of
 * this claim may have arrived and changed the version. In both cases, the lease record is
 * read. If the lease record still has the known version, no write of unknown outcome has
 * arrived. If it has the version of such a write, this version becomes the known version.
 * The next write names the known version as the version to replace. Reading the lease
 * record does not change the confirmed horizon, because content that was merely read may
 * exist on only one server of the store, and may be lost if that server fails. The lease
 * record then has its earlier version again.
 * <p>
 * If the lease record is found in any other state, the lease is lost permanently. The
 * other states are:
 * <ul>
 * <li>Another process has claimed the worker ID.</li>
 * <li>No process may claim the worker ID ({@link LeaseRecord#blockedBy}).</li>
 * <li>The store went back to an earlier state: the lease record is missing, or its
 * horizon is earlier than the confirmed horizon.</li>
 * <li>A copy of this process writes the lease record: the lease record has a version that
 * this process has not written. (If the claim was resumed from a state file, the version
 * that the earlier process left is not known, so any version is accepted at first.)</li>
 * </ul>
 * <p>
 * Not thread-safe, except that any thread may call {@link #horizon()}.
 */
final class HeldLease {

	// stands for the unknown version of a claim that was resumed from a state file; no
	// lease record has this version
	private static final long UNKNOWN = -2;

	// How many writes of unknown outcome are remembered. If a forgotten write takes
	// effect after all, this process assumes that a copy of itself has written, and
	// claims another worker ID.
	private static final int MAX_UNANSWERED = 1000;

	private static final Logger logger = LoggerFactory.getLogger(HeldLease.class);

	private final WorkerLeaseStore store;

	private final LongSupplier wallClock;

	private final RandomGenerator random;

	private final long workerId;

	private final Lease claim;

	private long floor;

	private final Set<Long> unanswered = new LinkedHashSet<>();

	private long version;

	private volatile long horizon;

	private @Nullable WorkerLeaseStoreException failure;

	private boolean lost;

	/**
	 * Creates an object that holds the given claim.
	 * @param wallClock the clock whose time is reported with each write
	 * @param random the source of the versions that are written
	 * @param floor the largest timestamp that may have been used with this worker ID
	 * before
	 */
	HeldLease(WorkerLeaseStore store, LongSupplier wallClock, RandomGenerator random, long workerId, Lease claim,
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
	 * Resumes the claim of an earlier process. The claim continues above all timestamps
	 * that the earlier process may have used.
	 */
	static HeldLease resume(WorkerLeaseStore store, LongSupplier wallClock, RandomGenerator random, SavedLease saved,
			String host) {
		long now = wallClock.getAsLong();
		Lease lease = new Lease(saved.owner(), saved.horizon(), host, now, now, UNKNOWN);
		return new HeldLease(store, wallClock, random, saved.workerId(), lease, saved.reservedUntil());
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
	 * Raises the floor to a timestamp that may have been used with the worker ID.
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
	 * Returns the failure of the store at the last write, or {@code null} if the store
	 * did not fail. After a failure, the outcome of the write may be unknown.
	 */
	@Nullable WorkerLeaseStoreException failure() {
		return this.failure;
	}

	/**
	 * Returns whether the claim has been lost. No IDs may be issued with a lost claim.
	 */
	boolean isLost() {
		return this.lost;
	}

	/**
	 * Advances the horizon, unless the claim has been lost.
	 * @param now the generator's clock
	 * @param lastUsed the largest timestamp used so far
	 * @param window how far the new horizon is to lie beyond {@code now} or
	 * {@code lastUsed}, whichever is later
	 * @return whether the store has confirmed the new horizon
	 */
	boolean renew(long now, long lastUsed, long window) {
		return write(owner(), Math.max(this.horizon, Math.max(now, lastUsed) + window));
	}

	/**
	 * Releases the worker ID. No IDs may be issued with this claim from now on.
	 * @param lastUsed the largest timestamp used so far
	 * @return whether the lease record is known to have been released
	 */
	boolean release(long lastUsed) {
		return write(Lease.NO_OWNER, lastUsed) || write(Lease.NO_OWNER, lastUsed);
	}

	private boolean write(String owner, long horizon) {
		if (this.lost) {
			return false;
		}
		long before = this.version;
		boolean written = attempt(owner, horizon);
		// A failed attempt changes the known version if it finds that an unanswered write
		// has arrived, or if the version was unknown because the claim was resumed. The
		// write is then repeated with the new version.
		return written || (!this.lost && this.version != before && attempt(owner, horizon));
	}

	private boolean attempt(String owner, long horizon) {
		this.failure = null;
		Lease lease = new Lease(owner, horizon, this.claim.host(), this.claim.since(), this.wallClock.getAsLong(),
				this.random.nextLong(Lease.MAX_VERSION));
		try {
			if (this.version != UNKNOWN) {
				addUnanswered(lease.version());
				if (this.store.write(this.workerId, this.version, lease)) {
					this.version = lease.version();
					this.unanswered.clear();
					this.horizon = Math.max(this.horizon, horizon);
					return true;
				}
			}
		}
		catch (Throwable ex) {
			this.failure = failure(ex);
		}
		return look(lease);
	}

	// Converts every throwable, even an Error, to a failure of the store, so that the
	// process continues to renew its other leases.
	private static WorkerLeaseStoreException failure(Throwable ex) {
		return (ex instanceof WorkerLeaseStoreException failure) ? failure
				: new WorkerLeaseStoreException("The store of the leases failed: " + ex, ex, false);
	}

	private void addUnanswered(long version) {
		if (this.unanswered.size() == MAX_UNANSWERED) {
			this.unanswered.remove(this.unanswered.iterator().next());
		}
		this.unanswered.add(version);
	}

	private boolean look(Lease wanted) {
		LeaseRecord record;
		try {
			record = this.store.read(this.workerId);
		}
		catch (Throwable ex) {
			if (this.failure == null) {
				this.failure = failure(ex);
			}
			return false;
		}
		if (record != null && record.version() == this.version && record.blockedBy() == null) {
			if (this.failure == null) {
				this.failure = new WorkerLeaseStoreException(
						"The store refused to change the lease record of worker ID %d, although the lease record still has the expected version. If this persists, check whether a trigger or a row-level policy of the database prevents the update"
							.formatted(this.workerId),
						null, false);
			}
			return false;
		}
		if (record != null && wanted.isReleased() && record.lease().isReleased()
				&& this.unanswered.contains(record.version())) {
			return true;
		}
		String end = end(record);
		if (record == null || end != null) {
			this.lost = true;
			logger.warn("This process stops using worker ID {}: {}", this.workerId, end);
		}
		else {
			// The store has not confirmed the write whose version was read, and may still
			// lose this write in a failover. The lease record would then have its earlier
			// version again, so the earlier version is remembered as well.
			addUnanswered(this.version);
			this.version = record.version();
		}
		return false;
	}

	private @Nullable String end(@Nullable LeaseRecord record) {
		if (record == null) {
			return "the store has lost the lease record";
		}
		if (record.blockedBy() != null) {
			return record.blockedBy();
		}
		Lease lease = record.lease();
		if (!lease.owner().equals(owner())) {
			return lease.isReleased() ? "it has been claimed and released by " + lease.host()
					: "it has been claimed by " + lease.host();
		}
		if (lease.horizon() < this.horizon) {
			return "the store went back to an earlier state of the lease record";
		}
		return (this.version == UNKNOWN || this.unanswered.contains(record.version())) ? null
				: "a copy of this process renews the lease";
	}

}
