// SPDX-License-Identifier: Apache-2.0

package io.leaf.snowflake.lease;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;

import io.leaf.IdGenerationException;
import io.leaf.WorkerIdUnavailableException;
import io.leaf.snowflake.SnowflakeLanes;
import io.leaf.snowflake.SnowflakeLayout;
import io.leaf.snowflake.lease.LeaseMemory.RememberedLease;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How a process gets its first lease. If the store answers, by a claim, and only by a
 * claim; a claim during which the connection is lost is tried again. If the store cannot
 * be reached, by going on with the lease that was remembered. A refusal ends the start.
 */
final class LeaseStart {

	private static final Logger logger = LoggerFactory.getLogger(LeaseStart.class);

	private final WorkerLeaseStore store;

	private final LeaseSettings settings;

	private final LeaseClaims claims;

	private final Reservation reservation;

	private final SnowflakeLanes lanes;

	private final LeaseThreads threads;

	private final RandomGenerator random;

	private final ClockCheck clockCheck;

	/**
	 * How often a claim is tried in all if the connection is lost meanwhile.
	 */
	private static final int ATTEMPTS = 4;

	/**
	 * How long to wait between two attempts at most. Of processes that have lost their
	 * connections together, few come back together.
	 */
	private static final Duration MAX_PAUSE = Duration.ofSeconds(1);

	private @Nullable WorkerLeaseStoreException failure;

	private @Nullable RememberedLease remembered;

	// the store could be reached for long enough to show it
	private boolean isLost;

	LeaseStart(WorkerLeaseStore store, LeaseSettings settings, LeaseClaims claims, Reservation reservation,
			SnowflakeLanes lanes, LeaseThreads threads, RandomGenerator random) {
		this.store = store;
		this.settings = settings;
		this.claims = claims;
		this.reservation = reservation;
		this.lanes = lanes;
		this.threads = threads;
		this.random = random;
		this.clockCheck = new ClockCheck(store, settings, lanes.clock(), random);
	}

	/**
	 * Takes a lease. If claims are remembered, this one is.
	 */
	HeldLease lease() {
		HeldLease lease;
		try {
			lease = claim();
		}
		catch (WorkerLeaseStoreException ex) {
			if (ex.isRefusal()) {
				throw ex;
			}
			this.failure = ex;
			lease = resume(ex);
		}
		SnowflakeLayout layout = this.lanes.settings().layout();
		logger.info("Snowflake IDs of {}: {}; {} worker IDs with {} IDs per second each; until {}; {}",
				this.settings.name(), layout, layout.maxWorkerId() + 1, layout.idsPerSecond(), layout.exhaustedAt(),
				layout.fitsJavaScript() ? "safe as JavaScript numbers"
						: "too large for JavaScript numbers: send them as strings");
		logger.info("Worker ID {} is leased ({}) until {}", lease.workerId(), this.store.source(),
				Instant.ofEpochMilli(lease.horizon()));
		return lease;
	}

	private HeldLease claim() {
		for (int attempt = 1;; attempt++) {
			this.store.open(this.lanes.settings().layout());
			try {
				return claimOnce();
			}
			catch (WorkerLeaseStoreException ex) {
				if (ex.isRefusal() || attempt == ATTEMPTS) {
					throw ex;
				}
				logger.info("No worker ID was claimed; trying again: {}", ex.getMessage());
				this.threads.pause().accept(this.random.nextLong(MAX_PAUSE.toNanos()));
			}
		}
	}

	private HeldLease claimOnce() {
		// One reading for both. The claim names the version read, so a register that has
		// changed since is not taken.
		List<LeaseRegister> registers = this.clockCheck.check();
		recall(registers);
		HeldLease lease = this.claims.claim(registers, now(), Set.of());
		this.lanes.clock().raiseTo(lease.floor() + 1);
		if (this.reservation.isActive() && this.reservation.begin(lease, now()) < 0) {
			rest(lease.workerId(), lease.horizon());
			lease = this.claims.claim(now(), Set.of(lease.workerId()));
			this.lanes.clock().raiseTo(lease.floor() + 1);
		}
		return lease;
	}

	// The memory may speak of this claim now, or still of the one before, and a process
	// that resumes may use all of it.
	private void rest(long workerId, long horizon) {
		RememberedLease before = this.remembered;
		this.claims.used(workerId, horizon);
		if (before != null) {
			this.claims.used(before.workerId(),
					(before.workerId() == workerId) ? Math.max(horizon, before.horizon()) : before.horizon());
		}
	}

	// a store that went back does not know what the process before has used
	private void recall(List<LeaseRegister> registers) {
		try {
			RememberedLease remembered = this.reservation.load();
			if (remembered != null) {
				this.remembered = remembered;
				this.claims.used(remembered.workerId(), remembered.reservedUntil());
				this.isLost = registers.stream()
					.noneMatch((register) -> register.lease().owner().equals(remembered.owner()));
			}
		}
		catch (IdGenerationException ex) {
			logger.debug("What was remembered of worker IDs cannot be used", ex);
		}
	}

	private HeldLease resume(WorkerLeaseStoreException ex) {
		RememberedLease remembered;
		try {
			remembered = this.reservation.load();
		}
		catch (IdGenerationException memory) {
			ex.addSuppressed(memory);
			throw unavailable(ex, "what it remembered cannot be used: " + memory.getMessage());
		}
		if (remembered == null) {
			throw unavailable(ex, "no earlier process has left one");
		}
		if (this.isLost) {
			throw unavailable(ex,
					"the store has shown that the one on worker ID %d has ended".formatted(remembered.workerId()));
		}
		this.clockCheck.checkRemembered(remembered.reservedUntil() - Reservation.LENGTH.toMillis());
		if (Math.max(now(), remembered.reservedUntil() + 1) > remembered.horizon()) {
			throw unavailable(ex, "that on worker ID %d ended at %s".formatted(remembered.workerId(),
					Instant.ofEpochMilli(remembered.horizon())));
		}
		HeldLease lease = HeldLease.resume(this.store, this.lanes.clock()::wallMillis, this.random, remembered,
				this.settings.host());
		this.lanes.clock().raiseTo(lease.floor() + 1);
		if (this.reservation.begin(lease, now()) < 0) {
			throw unavailable(ex, "the state file cannot be written: " + this.reservation.problem());
		}
		logger.warn("Going on with the lease of an earlier process on worker ID {}, since the store is away: {}",
				lease.workerId(), ex.getMessage());
		return lease;
	}

	private static WorkerIdUnavailableException unavailable(WorkerLeaseStoreException ex, String reason) {
		return new WorkerIdUnavailableException(
				"%s. To start without it, the lease of an earlier process is needed, but %s".formatted(ex.getMessage(),
						reason),
				ex);
	}

	private long now() {
		return this.lanes.clock().millis();
	}

	/**
	 * Returns why the store could not be reached, or {@code null} if it is open.
	 */
	@Nullable WorkerLeaseStoreException failure() {
		return this.failure;
	}

}
