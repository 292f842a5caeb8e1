// SPDX-License-Identifier: Apache-2.0

package io.leaf.simulation;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

import io.leaf.snowflake.lease.Lease;
import io.leaf.snowflake.lease.LeaseRecord;
import io.leaf.snowflake.lease.SavedLeaseStore.SavedLease;
import org.jspecify.annotations.Nullable;

/**
 * Tracks the owners of the timestamps of each worker ID according to the lease records,
 * and the processes that have used these timestamps.
 * <p>
 * Claims that the store has lost, and claims that two processes hold, may overlap with
 * other claims. Two rules still apply. A process stops using a claim once the store has
 * shown the process that the claim is lost. A process never repeats an ID of its own and,
 * unless a claim was copied, uses no timestamp that was used with an earlier claim, by
 * itself or by the process whose state file it has read.
 */
final class Claims {

	private final Map<String, Claim> byOwner = new HashMap<>();

	private final Map<Process, Map<String, Holding>> holdings = new HashMap<>();

	private final Map<Long, Use> uses = new HashMap<>();

	private Holding holding(Process process, String owner, long workerId) {
		return this.holdings.computeIfAbsent(process, (key) -> new HashMap<>())
			.computeIfAbsent(owner, (key) -> new Holding(workerId));
	}

	/**
	 * Records that a process has sent a claim, or the renewal or release of a claim.
	 * @return whether this is a release, or the first time that the process has sent this
	 * version
	 */
	boolean sent(Process process, long workerId, Lease lease) {
		return lease.isReleased() || holding(process, lease.owner(), workerId).versions.add(lease.version());
	}

	/**
	 * Records that the store has confirmed a write.
	 */
	void confirmed(Process process, long workerId, Lease lease) {
		if (!lease.isReleased()) {
			Holding holding = holding(process, lease.owner(), workerId);
			holding.confirmed = Math.max(holding.confirmed, lease.horizon());
		}
	}

	/**
	 * Records that a process has found the claim of an earlier process in its state file.
	 * The process may not use the claim until it {@linkplain #resumed resumes} it.
	 */
	void found(Process process, SavedLease lease) {
		Holding holding = holding(process, lease.owner(), lease.workerId());
		holding.confirmed = lease.horizon();
		holding.saved = true;
		holding.usable = false;
		holding.acceptsVersion = true;
	}

	/**
	 * Records that a process continues with the claim that it has found in its state
	 * file.
	 */
	void resumed(Process process, SavedLease lease) {
		holding(process, lease.owner(), lease.workerId()).usable = true;
	}

	/**
	 * Records the content of a lease record that a process has read. The content may end
	 * claims of the process.
	 */
	void shown(Process process, long workerId, @Nullable LeaseRecord record) {
		this.holdings.getOrDefault(process, Map.of()).forEach((owner, holding) -> {
			if (holding.workerId == workerId && holding.confirmed >= 0 && holding.endedAt == Long.MAX_VALUE
					&& !holding.isKept(owner, record)) {
				holding.endedAt = process.world().now();
			}
		});
	}

	/**
	 * Returns whether a process holds a claim that has not ended and cannot overlap with
	 * other claims.
	 */
	boolean has(Process process, Lease lease) {
		Holding holding = this.holdings.getOrDefault(process, Map.of()).get(lease.owner());
		Claim claim = this.byOwner.get(lease.owner());
		return holding != null && holding.endedAt == Long.MAX_VALUE && claim != null && !claim.mayOverlap();
	}

	/**
	 * Returns the largest timestamp of a worker ID that was confirmed to a process.
	 * @param saved whether to include only claims that the process has found in its state
	 * file
	 */
	long largest(Process process, long workerId, boolean saved) {
		return this.holdings.getOrDefault(process, Map.of())
			.values()
			.stream()
			.filter((holding) -> holding.workerId == workerId && (holding.saved || !saved))
			.mapToLong((holding) -> holding.confirmed)
			.max()
			.orElse(-1);
	}

	/**
	 * Records the new content of a lease record.
	 */
	void written(long workerId, @Nullable LeaseRecord before, Lease lease) {
		if (before != null && !before.lease().owner().equals(lease.owner()) && lease.isReleased()) {
			Claim released = this.byOwner.get(before.lease().owner());
			if (released != null && !released.mayOverlap()) {
				released.horizon = lease.horizon();
			}
		}
		if (!lease.isReleased()) {
			Claim claim = this.byOwner.computeIfAbsent(lease.owner(), (owner) -> new Claim(this.byOwner.size(),
					workerId, (before != null) ? before.lease().horizon() : -1));
			claim.horizon = Math.max(claim.horizon, lease.horizon());
		}
	}

	/**
	 * Records that the store has lost a write that it had not answered.
	 */
	void undone(Lease lease, @Nullable LeaseRecord before) {
		Claim claim = this.byOwner.get(lease.isReleased() && before != null ? before.lease().owner() : lease.owner());
		if (claim != null && before != null) {
			claim.horizon = Math.min(claim.horizon, before.lease().horizon());
		}
	}

	/**
	 * Records that the store has lost the content of a lease record.
	 */
	void forgotten(long workerId, @Nullable LeaseRecord older) {
		for (Claim claim : this.byOwner.values()) {
			if (claim.workerId == workerId && (older == null || claim.horizon >= older.lease().horizon())) {
				claim.isForgotten = true;
			}
		}
	}

	/**
	 * Records that two processes hold a claim from now on.
	 */
	void copied(String owner) {
		Claim claim = this.byOwner.get(owner);
		if (claim != null) {
			claim.isCopied = true;
		}
	}

	/**
	 * Records that an ID has been drawn.
	 * @param callStart when the call that drew the ID began
	 * @return what is wrong with it, or {@code null}
	 */
	@Nullable String use(Process process, long id, long workerId, long timestamp, long callStart) {
		Map<String, Holding> known = this.holdings.getOrDefault(process, Map.of());
		String wrong = "belongs to none of its claims";
		Use latest = null;
		for (Map.Entry<String, Holding> each : known.entrySet()) {
			Claim claim = this.byOwner.get(each.getKey());
			if (claim == null || !each.getValue().usable || !claim.covers(workerId, timestamp)) {
				continue;
			}
			if (each.getValue().endedAt < callStart) {
				wrong = "belongs to a claim that the store has shown to be lost";
			}
			else if (known.keySet().stream().anyMatch((other) -> claim.repeats(this.byOwner.get(other), timestamp))) {
				wrong = "has a timestamp that it, or the process whose state file it has read, has used before";
			}
			else if (latest == null || latest.claim.number < claim.number) {
				latest = new Use(process, each.getKey(), claim);
			}
		}
		return (latest != null) ? use(latest, id, timestamp) : wrong;
	}

	private @Nullable String use(Use use, long id, long timestamp) {
		Use before = this.uses.putIfAbsent(id, use);
		if (before != null && !before.mayBeRepeatedBy(use, this.holdings.getOrDefault(use.process, Map.of()))) {
			return "was issued before, by " + before.process.name();
		}
		return use.claim.use(use.process, timestamp);
	}

	/**
	 * Returns how many IDs have been drawn.
	 */
	int issued() {
		return this.uses.size();
	}

	private static final class Claim {

		private final int number;

		private final long workerId;

		private final long floor;

		private long horizon;

		private boolean isForgotten;

		private boolean isCopied;

		private @Nullable Process user;

		private long used;

		Claim(int number, long workerId, long floor) {
			this.number = number;
			this.workerId = workerId;
			this.floor = floor;
			this.horizon = floor;
		}

		boolean covers(long workerId, long timestamp) {
			return this.workerId == workerId && this.floor < timestamp && timestamp <= this.horizon;
		}

		boolean repeats(@Nullable Claim former, long timestamp) {
			return former != null && former.number < this.number && former.workerId == this.workerId && !former.isCopied
					&& timestamp <= former.used;
		}

		boolean mayOverlap() {
			return this.isForgotten || this.isCopied;
		}

		@Nullable String use(Process process, long timestamp) {
			Process before = this.user;
			if (before != null && before != process && timestamp <= this.used && !this.isCopied) {
				return "has a timestamp that belongs to " + before.name();
			}
			this.user = process;
			this.used = Math.max(this.used, timestamp);
			return null;
		}

	}

	/**
	 * What a process knows about a claim that it has made or found in its state file.
	 */
	private static final class Holding {

		private final long workerId;

		private final Set<Long> versions = new HashSet<>();

		private long confirmed = -1;

		private boolean saved;

		private boolean usable = true;

		private boolean acceptsVersion;

		private long endedAt = Long.MAX_VALUE;

		Holding(long workerId) {
			this.workerId = workerId;
		}

		boolean isKept(String owner, @Nullable LeaseRecord record) {
			if (record == null || !record.lease().owner().equals(owner) || record.lease().horizon() < this.confirmed) {
				return false;
			}
			// a claim from a state file first accepts the version that the process
			// before it has left
			if (this.acceptsVersion) {
				this.acceptsVersion = false;
				this.versions.add(record.version());
			}
			return this.versions.contains(record.version());
		}

	}

	private record Use(Process process, String owner, Claim claim) {

		boolean mayBeRepeatedBy(Use other, Map<String, Holding> others) {
			if (this.process == other.process) {
				return false;
			}
			return this.claim.isCopied || other.claim.mayOverlap()
					|| (this.claim.isForgotten && !others.containsKey(this.owner));
		}

	}

}
