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
import org.jspecify.annotations.Nullable;

/**
 * Claims a worker ID: one that this process's label held before, else any whose lease was
 * released or has run out, else a new one. Registers are tried in random order: of
 * processes that start at once, few try the same one.
 * <p>
 * A lease has run out when its horizon lies below the claimant's own time. A released one
 * may be claimed although its last timestamp lies a little ahead; the claimant starts
 * above it. The claim is a compare-and-set to {@code {me, max(now, floor) + window}}: of
 * all who try, one succeeds, and owns the timestamps after the floor up to the new
 * horizon. The floor is the old horizon; for a register that does not exist, the
 * claimant's own time; and in any case no less than what this process itself may have
 * used of the worker ID, which a store that went back may not know.
 */
class LeaseClaims {

	/**
	 * How often a claim is sent whose answers are lost.
	 */
	private static final int ATTEMPTS = 3;

	/**
	 * How many registers are tried before they are all read again: if others were faster
	 * so often, what was read is old.
	 */
	private static final int TRIES = 4;

	/**
	 * How many claims of unknown outcome are remembered.
	 */
	private static final int MAX_UNANSWERED = 1000;

	/**
	 * How often others may be faster at a new worker ID, or at all the registers that
	 * were tried.
	 */
	private static final int RACES = 1000;

	private static final int HOSTS_TOLD = 5;

	private final WorkerLeaseStore store;

	private final LeaseSettings settings;

	private final LongSupplier wallClock;

	private final RandomGenerator random;

	// The largest timestamps that may have been used of worker IDs that were held before.
	private final Map<Long, Long> used = new ConcurrentHashMap<>();

	// By owner. They may yet take effect, and if they were forgotten their worker IDs
	// would
	// stay reserved for a window.
	private final Map<String, HeldLease> unanswered = new LinkedHashMap<>();

	private volatile @Nullable Long taken;

	LeaseClaims(WorkerLeaseStore store, LeaseSettings settings, LongSupplier wallClock, RandomGenerator random) {
		this.store = store;
		this.settings = settings;
		this.wallClock = wallClock;
		this.random = random;
	}

	/**
	 * Notes up to which timestamp a worker ID may have been used that this process, or
	 * the one before it, held. For any thread.
	 */
	void used(long workerId, long timestamp) {
		this.used.put(workerId, timestamp);
	}

	/**
	 * Claims a worker ID.
	 * @param now the generator's clock
	 * @param held worker IDs that this process uses already
	 * @throws WorkerIdUnavailableException if there is none
	 * @throws WorkerLeaseStoreException if the store cannot be reached
	 */
	HeldLease claim(long now, Set<Long> held) {
		return claim(this.store.readAll(), now, held);
	}

	/**
	 * Claims a worker ID as {@link #claim(long, Set)} does.
	 * @param registers all registers, as read a moment ago
	 */
	HeldLease claim(List<LeaseRegister> registers, long now, Set<Long> held) {
		HeldLease arrived = arrived(registers, now, held);
		if (arrived != null) {
			return arrived;
		}
		List<LeaseRegister> read = registers;
		for (int round = 1;; round++) {
			seen(read, now);
			List<LeaseRegister> claimable = new ArrayList<>(read.stream()
				.filter((register) -> !held.contains(register.workerId()) && isClaimable(register, now)
						&& isPast(usedOf(register.workerId()), now))
				.toList());
			Collections.shuffle(claimable, new Random(this.random.nextLong()));
			claimable.sort(Comparator.comparing((register) -> !isOwn(register)));
			for (LeaseRegister register : claimable.subList(0, Math.min(TRIES, claimable.size()))) {
				HeldLease lease = claim(now, register.workerId(), register.version(),
						Math.max(register.lease().horizon(), usedOf(register.workerId())));
				if (lease != null) {
					return taken(lease);
				}
			}
			if (claimable.size() <= TRIES || round == RACES) {
				break;
			}
			read = this.store.readAll();
		}
		// a store that went back would give them
		Set<Long> except = new HashSet<>(held);
		this.used.forEach((workerId, timestamp) -> {
			if (!isPast(timestamp, now)) {
				except.add(workerId);
			}
		});
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

	private @Nullable HeldLease arrived(List<LeaseRegister> registers, long now, Set<Long> held) {
		for (LeaseRegister register : registers) {
			HeldLease claim = this.unanswered.get(register.lease().owner());
			if (claim != null && !held.contains(claim.workerId()) && isPast(usedOf(claim.workerId()), now)) {
				claim.raiseFloor(usedOf(claim.workerId()));
				boolean confirmed = claim.renew(now, claim.floor(), this.settings.window().toMillis());
				WorkerLeaseStoreException failure = claim.failure();
				if (failure != null) {
					throw failure;
				}
				this.unanswered.remove(claim.owner());
				if (confirmed) {
					return claim;
				}
			}
		}
		return null;
	}

	/**
	 * Counts the worker IDs that cannot be claimed.
	 * @param registers all registers, as read a moment ago
	 */
	void seen(List<LeaseRegister> registers, long now) {
		this.taken = registers.stream()
			.filter((register) -> register.workerId() >= this.store.firstWorkerId() && !isClaimable(register, now))
			.count();
	}

	/**
	 * Returns how many worker IDs could not be claimed when all were read last, the
	 * claims of this object since included, or {@code null} if they have not been read.
	 * For any thread.
	 */
	@Nullable Long taken() {
		return this.taken;
	}

	private HeldLease taken(HeldLease lease) {
		Long taken = this.taken;
		this.taken = (taken != null) ? taken + 1 : null;
		return lease;
	}

	private boolean isOwn(LeaseRegister register) {
		return register.lease().host().equals(this.settings.host());
	}

	private boolean isClaimable(LeaseRegister register, long now) {
		WorkerLease lease = register.lease();
		if (register.blockedBy() != null) {
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
		WorkerLease lease = new WorkerLease(owner, Math.max(now, floor) + window, this.settings.host(), wall, wall,
				this.random.nextLong(WorkerLease.MAX_VERSION));
		HeldLease claimed = new HeldLease(this.store, this.wallClock, this.random, workerId, lease, floor);
		if (this.unanswered.size() == MAX_UNANSWERED) {
			this.unanswered.remove(this.unanswered.keySet().iterator().next());
		}
		this.unanswered.put(owner, claimed);
		boolean succeeded = send(claimed, version, lease, now);
		this.unanswered.remove(owner);
		return succeeded ? claimed : null;
	}

	private boolean send(HeldLease claimed, long version, WorkerLease lease, long now) {
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
				LeaseRegister register = this.store.read(workerId);
				arrived = register != null && register.lease().owner().equals(lease.owner())
						&& register.blockedBy() == null;
				boolean unchanged = version == ((register != null) ? register.version() : WorkerLeaseStore.ABSENT);
				if (!arrived && !unchanged) {
					return false;
				}
			}
			if (arrived) {
				// it counts once a write on top of it is answered
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

	private String describe(List<LeaseRegister> registers) {
		if (registers.isEmpty()) {
			return "No worker ID is free for leaf.name=%s, though none is held: others have used up the numbers that the store gives. Choose another leaf.name, or a layout with more leaf.snowflake.layout.worker-bits"
				.formatted(this.settings.name());
		}
		Map<String, Long> byHolder = registers.stream()
			.collect(Collectors.groupingBy(LeaseClaims::holder, TreeMap::new, Collectors.counting()));
		String holders = byHolder.entrySet()
			.stream()
			.sorted(Map.Entry.<String, Long>comparingByValue().reversed())
			.limit(HOSTS_TOLD)
			.map((holder) -> "%d by %s".formatted(holder.getValue(), holder.getKey()))
			.collect(Collectors.joining(", "));
		OptionalLong free = registers.stream()
			.filter((register) -> register.blockedBy() == null)
			.mapToLong((register) -> register.lease().horizon())
			.min();
		return "No worker ID is free for leaf.name=%s: %d are held, %s%s. %s. A process that ends in an orderly way gives its worker ID back at once; that of one that was killed rests for leaf.snowflake.lease-window (%s). If there are too few, choose a layout with more leaf.snowflake.layout.worker-bits"
			.formatted(this.settings.name(), registers.size(), holders,
					(byHolder.size() > HOSTS_TOLD) ? " and others" : "",
					free.isPresent() ? "The first is free at " + Instant.ofEpochMilli(free.getAsLong())
							: "None of them will be free",
					this.settings.window());
	}

	private static String holder(LeaseRegister register) {
		if (register.blockedBy() != null) {
			return "others (" + register.blockedBy() + ")";
		}
		return register.lease().host();
	}

}
