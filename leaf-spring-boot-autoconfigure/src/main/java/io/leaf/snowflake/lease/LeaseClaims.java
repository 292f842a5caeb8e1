// SPDX-License-Identifier: Apache-2.0

package io.leaf.snowflake.lease;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;

import io.leaf.WorkerIdUnavailableException;
import io.leaf.support.DurationText;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Claims a worker ID. Worker IDs whose lease was released or has run out are tried first,
 * beginning with those whose last holder had the label of this process. Apart from that,
 * their order is random, so that processes that start at the same time seldom try the
 * same worker ID. If none of these worker IDs can be claimed, a new worker ID, which has
 * no lease record yet, is claimed.
 * <p>
 * A lease has run out if its horizon is earlier than {@code now}, the time by the clock
 * of the claiming process. A released lease may be claimed if its horizon, which is the
 * last timestamp used, is earlier than {@code now} or later by at most the allowed drift.
 * <p>
 * The claiming process uses only timestamps after the <em>floor</em>. The floor is the
 * old horizon or, if there is no lease record, the millisecond before {@code now}. The
 * floor is never less than the largest timestamp that this process may have used with the
 * worker ID, because a store that went back to an earlier state may not know that
 * timestamp. The claim is a compare-and-set that writes a new owner and the horizon
 * {@code max(now, floor) + window}. Of all processes that try, one succeeds, and owns the
 * timestamps after the floor up to the new horizon.
 */
class LeaseClaims {

	private static final Logger logger = LoggerFactory.getLogger(LeaseClaims.class);

	// The largest number of attempts to claim a worker ID when answers are lost. An
	// attempt sends the claim or, once the claim has arrived, the write that confirms it.
	private static final int ATTEMPTS = 3;

	// After this many failures to confirm an unanswered claim, another worker ID is
	// claimed, because the lease record of the unanswered claim may never become
	// writable.
	private static final int CONFIRM_ATTEMPTS = 3;

	// How many lease records are tried before all lease records are read again. If other
	// processes were faster that many times, the records that were read are out of date.
	private static final int TRIES = 4;

	private static final int MAX_UNANSWERED = 1000;

	// How many new worker IDs are tried, and how many times all lease records are read,
	// if other processes are faster each time.
	private static final int RACES = 1000;

	private static final int MAX_HOSTS_IN_MESSAGE = 5;

	private final WorkerLeaseStore store;

	private final LeaseSettings settings;

	private final LongSupplier wallClock;

	private final RandomGenerator random;

	// for each worker ID that was held before, the largest timestamp that may have been
	// used with it
	private final Map<Long, Long> used = new ConcurrentHashMap<>();

	// The claims that the store has not answered, with the owner as the key. Such a claim
	// may have taken effect, or may still take effect. If a claim took effect but had
	// been forgotten, its worker ID would stay reserved until the horizon of the claim.
	private final Map<String, HeldLease> unanswered = new LinkedHashMap<>();

	private int unconfirmed;

	private volatile @Nullable Long taken;

	LeaseClaims(WorkerLeaseStore store, LeaseSettings settings, LongSupplier wallClock, RandomGenerator random) {
		this.store = store;
		this.settings = settings;
		this.wallClock = wallClock;
		this.random = random;
	}

	/**
	 * Records the largest timestamp that may have been used with a worker ID that this
	 * process, or an earlier process with the same state file, has held. May be called by
	 * any thread.
	 */
	void used(long workerId, long timestamp) {
		this.used.put(workerId, timestamp);
	}

	/**
	 * Claims a worker ID.
	 * @param now the generator's clock
	 * @param held worker IDs that this process uses already
	 * @throws WorkerIdUnavailableException if no worker ID is free
	 * @throws WorkerLeaseStoreException if the store cannot be reached
	 */
	HeldLease claim(long now, Set<Long> held) {
		return claim(this.store.readAll(), now, held);
	}

	HeldLease claim(List<LeaseRecord> records, long now, Set<Long> held) {
		HeldLease arrived = arrived(records, now, held);
		if (arrived != null) {
			return arrived;
		}
		List<LeaseRecord> read = records;
		for (int round = 1;; round++) {
			countTaken(read, now);
			List<LeaseRecord> claimable = new ArrayList<>(read.stream()
				.filter((record) -> !held.contains(record.workerId()) && isClaimable(record, now)
						&& isPast(usedOf(record.workerId()), now))
				.toList());
			Collections.shuffle(claimable, new Random(this.random.nextLong()));
			claimable.sort(Comparator.comparing((record) -> !record.lease().host().equals(this.settings.host())));
			for (LeaseRecord record : claimable.subList(0, Math.min(TRIES, claimable.size()))) {
				HeldLease lease = claim(now, record.workerId(), record.version(),
						Math.max(record.lease().horizon(), usedOf(record.workerId())));
				if (lease != null) {
					return taken(lease);
				}
			}
			if (claimable.size() <= TRIES || round == RACES) {
				break;
			}
			read = this.store.readAll();
		}
		// Excludes the worker IDs that this process holds, and the worker IDs that it has
		// used with timestamps that are still too far ahead of the clock. A store that
		// went back to an earlier state may have lost their lease records, and offer them
		// as new worker IDs.
		Set<Long> except = new HashSet<>(held);
		this.used.keySet().stream().filter((workerId) -> !isPast(usedOf(workerId), now)).forEach(except::add);
		for (int attempt = 1; attempt <= RACES; attempt++) {
			OptionalLong workerId = this.store.newWorkerId(except);
			if (workerId.isEmpty()) {
				break;
			}
			HeldLease lease = claim(now, workerId.getAsLong(), WorkerLeaseStore.ABSENT,
					Math.max(now - 1, usedOf(workerId.getAsLong())));
			if (lease != null) {
				return taken(lease);
			}
		}
		throw new WorkerIdUnavailableException(describe(read), null);
	}

	private @Nullable HeldLease arrived(List<LeaseRecord> records, long now, Set<Long> held) {
		WorkerLeaseStoreException failure = null;
		for (LeaseRecord record : records) {
			HeldLease claim = this.unanswered.get(record.lease().owner());
			if (claim != null && !held.contains(claim.workerId()) && isPast(usedOf(claim.workerId()), now)) {
				claim.raiseFloor(usedOf(claim.workerId()));
				boolean confirmed = claim.renew(now, claim.floor(), this.settings.window().toMillis());
				if (claim.failure() != null) {
					failure = claim.failure();
					continue;
				}
				this.unanswered.remove(claim.owner());
				if (confirmed) {
					this.unconfirmed = 0;
					return claim;
				}
			}
		}
		this.unconfirmed = (failure != null) ? (this.unconfirmed + 1) % CONFIRM_ATTEMPTS : 0;
		if (failure != null && this.unconfirmed > 0) {
			throw failure;
		}
		return null;
	}

	/**
	 * Releases the claims that took effect without an answer and were never used, except
	 * for claims on the given worker IDs. Stops at the first failure of the store.
	 */
	void releaseUnanswered(Set<Long> held) {
		try {
			for (LeaseRecord record : this.unanswered.isEmpty() ? List.<LeaseRecord>of() : this.store.readAll()) {
				HeldLease claim = this.unanswered.get(record.lease().owner());
				if (claim != null && !held.contains(claim.workerId())) {
					claim.release(Math.max(claim.floor(), usedOf(claim.workerId())));
					if (claim.failure() != null) {
						return;
					}
				}
			}
		}
		// an application's own store may throw other exceptions
		catch (RuntimeException ex) {
			logger.debug("Unanswered claims were not released", ex);
		}
	}

	void countTaken(List<LeaseRecord> records, long now) {
		this.taken = records.stream()
			.filter((record) -> record.workerId() >= this.store.firstWorkerId() && !isClaimable(record, now))
			.count();
	}

	/**
	 * Returns how many worker IDs could not be claimed when all lease records were last
	 * read, plus the number of claims made through this object since then; {@code null}
	 * before the first reading. May be called by any thread.
	 */
	@Nullable Long taken() {
		return this.taken;
	}

	private HeldLease taken(HeldLease lease) {
		Long taken = this.taken;
		this.taken = (taken != null) ? taken + 1 : null;
		return lease;
	}

	private boolean isClaimable(LeaseRecord record, long now) {
		Lease lease = record.lease();
		if (record.blockedBy() != null) {
			return false;
		}
		return lease.isReleased() ? isPast(lease.horizon(), now) : lease.horizon() < now;
	}

	private boolean isPast(long used, long now) {
		return used <= now + this.settings.maxDrift().toMillis();
	}

	private long usedOf(long workerId) {
		return this.used.getOrDefault(workerId, 0L);
	}

	private @Nullable HeldLease claim(long now, long workerId, long version, long floor) {
		String owner = new UUID(this.random.nextLong(), this.random.nextLong()).toString();
		long window = this.settings.window().toMillis();
		long wall = this.wallClock.getAsLong();
		Lease lease = new Lease(owner, Math.max(now, floor) + window, this.settings.host(), wall, wall,
				this.random.nextLong(Lease.MAX_VERSION));
		HeldLease claimed = new HeldLease(this.store, this.wallClock, this.random, workerId, lease, floor);
		if (this.unanswered.size() == MAX_UNANSWERED) {
			this.unanswered.remove(this.unanswered.keySet().iterator().next());
		}
		this.unanswered.put(owner, claimed);
		boolean succeeded = send(claimed, version, lease, now);
		this.unanswered.remove(owner);
		return succeeded ? claimed : null;
	}

	private boolean send(HeldLease claimed, long version, Lease lease, long now) {
		long workerId = claimed.workerId();
		boolean arrived = false;
		WorkerLeaseStoreException failure = null;
		for (int attempt = 1;; attempt++) {
			if (!arrived) {
				try {
					boolean written = this.store.write(workerId, version, lease);
					if (written || failure == null) {
						return written;
					}
				}
				catch (WorkerLeaseStoreException ex) {
					failure = ex;
				}
				LeaseRecord record = this.store.read(workerId);
				arrived = record != null && record.lease().owner().equals(lease.owner()) && record.blockedBy() == null;
				boolean unchanged = version == ((record != null) ? record.version() : WorkerLeaseStore.ABSENT);
				if (!arrived && !unchanged) {
					return false;
				}
			}
			if (arrived) {
				// the claim has arrived, and becomes valid when the store confirms a
				// further write of the lease record
				if (claimed.renew(now, claimed.floor(), this.settings.window().toMillis())) {
					return true;
				}
				if (claimed.isLost()) {
					return false;
				}
				failure = (claimed.failure() != null) ? claimed.failure() : failure;
			}
			if (failure != null && (failure.isRefusal() || attempt == ATTEMPTS)) {
				throw failure;
			}
		}
	}

	private String describe(List<LeaseRecord> records) {
		if (records.isEmpty()) {
			return "No worker ID is free for leaf.name=%s, although there are no lease records: other processes have used up the numbers that the store assigns. Choose another leaf.name, with a layout that has more leaf.snowflake.layout.worker-bits"
				.formatted(this.settings.name());
		}
		Map<String, Long> byHolder = records.stream()
			.collect(Collectors.groupingBy(LeaseClaims::holder, TreeMap::new, Collectors.counting()));
		String holders = byHolder.entrySet()
			.stream()
			.sorted(Map.Entry.<String, Long>comparingByValue().reversed())
			.limit(MAX_HOSTS_IN_MESSAGE)
			.map((holder) -> "%d by %s".formatted(holder.getValue(), holder.getKey()))
			.collect(Collectors.joining(", "));
		OptionalLong free = records.stream()
			.filter((record) -> record.blockedBy() == null)
			.mapToLong((record) -> record.lease().horizon())
			.min();
		return "No worker ID is free for leaf.name=%s: %d are held or reserved, %s%s. %s. A process that shuts down gracefully releases its worker ID at once; the worker ID of a killed process stays reserved for leaf.snowflake.lease-window (%s). If there are too few worker IDs, choose another leaf.name, with a layout that has more leaf.snowflake.layout.worker-bits"
			.formatted(this.settings.name(), records.size(), holders,
					(byHolder.size() > MAX_HOSTS_IN_MESSAGE) ? " and others" : "",
					free.isPresent() ? "Unless its lease is renewed, the first one becomes free at "
							+ Instant.ofEpochMilli(free.getAsLong()) : "None of them will become free",
					DurationText.of(this.settings.window()));
	}

	private static String holder(LeaseRecord record) {
		return (record.blockedBy() != null) ? "others (" + record.blockedBy() + ")" : record.lease().host();
	}

}
