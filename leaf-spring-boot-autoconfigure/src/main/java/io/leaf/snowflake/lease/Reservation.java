// SPDX-License-Identifier: Apache-2.0

package io.leaf.snowflake.lease;

import java.time.Duration;

import io.leaf.IdGenerationException;
import io.leaf.snowflake.SnowflakeLayout;
import io.leaf.snowflake.lease.LeaseMemory.RememberedLease;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The part of a lease that the local memory covers: the generator passes no timestamp
 * that is not reserved on disk, so a process that resumes the claim from there starts
 * above everything that was used.
 * <p>
 * Once the memory could not be written it is given up for the life of this process. It
 * may then speak of the present claim and of a reservation that the process cannot move
 * on, so that claim must be exchanged for one that it does not speak of.
 * <p>
 * For one thread at a time, except for {@link #problem()}.
 */
final class Reservation {

	/**
	 * How far it reaches. A restart after a kill begins with a clock that is up to so far
	 * ahead; a disk that hangs for longer holds callers up.
	 */
	static final Duration LENGTH = Duration.ofSeconds(5);

	/**
	 * How many times in a row writing may fail. With a second in between, the reservation
	 * then still reaches far enough to claim another worker ID.
	 */
	private static final int MAX_FAILURES = 2;

	private static final Logger logger = LoggerFactory.getLogger(Reservation.class);

	private final @Nullable LeaseMemory memory;

	private volatile @Nullable IdGenerationException problem;

	private int failures;

	private @Nullable HeldLease lease;

	private long reservedUntil;

	Reservation(@Nullable LeaseMemory memory) {
		this.memory = memory;
	}

	/**
	 * Takes the memory into use. If that fails, or if it is not known which store the
	 * memory would speak of, the process does without.
	 */
	void open(SnowflakeLayout layout, WorkerLeaseStore store) {
		if (this.memory == null) {
			return;
		}
		String identity = store.identity();
		if (identity == null) {
			giveUp(new IdGenerationException(
					"It is not known which store the worker IDs come from (%s), and a claim in a state file is valid only in the store where it was made. Use a JDBC URL that names host and database, for the DataSource or as leaf.segment.datasource.url; for ZooKeeper, set leaf.snowflake.zookeeper.connect-string, or build the CuratorFramework with ensembleTracker(false)"
						.formatted(store.source())));
			return;
		}
		try {
			this.memory.open(layout, identity);
		}
		catch (IdGenerationException ex) {
			giveUp(ex);
		}
	}

	/**
	 * Returns what was remembered.
	 * @throws IdGenerationException if the memory cannot be used
	 */
	@Nullable RememberedLease load() {
		IdGenerationException problem = this.problem;
		if (problem != null) {
			throw problem;
		}
		return (this.memory != null) ? this.memory.load() : null;
	}

	/**
	 * Forgets a claim, if it may be remembered.
	 * @return whether the memory is certain not to speak of it
	 */
	boolean forget(HeldLease lease) {
		if (this.memory == null || this.lease != lease) {
			return true;
		}
		try {
			this.memory.clear();
			this.lease = null;
			return true;
		}
		catch (IdGenerationException ex) {
			logger.warn("The lease's state file was not cleared: {}", ex.getMessage());
			return false;
		}
	}

	boolean isActive() {
		return this.memory != null && this.problem == null;
	}

	/**
	 * Returns why claims are not remembered though they should be.
	 */
	@Nullable IdGenerationException problem() {
		return this.problem;
	}

	/**
	 * Remembers a claim in place of the one before.
	 * @return the largest timestamp that is reserved, or -1 if the memory had to be given
	 * up and may speak of this claim
	 */
	long begin(HeldLease lease, long now) {
		this.lease = lease;
		this.failures = MAX_FAILURES - 1;
		this.reservedUntil = -1;
		return extend(Math.max(now, lease.floor())) ? this.reservedUntil : -1;
	}

	/**
	 * Moves the reservation on.
	 * @param now the generator's clock, or the largest timestamp issued if that is later
	 * @return {@code false} if the memory had to be given up
	 */
	boolean extend(long now) {
		HeldLease lease = this.lease;
		if (lease == null || this.memory == null || this.problem != null) {
			return false;
		}
		long until = Math.min(lease.horizon(), now + LENGTH.toMillis());
		if (until <= this.reservedUntil) {
			return true;
		}
		try {
			this.memory.save(new RememberedLease(lease.workerId(), lease.owner(), lease.horizon(), until));
			this.reservedUntil = until;
			this.failures = 0;
			return true;
		}
		catch (IdGenerationException ex) {
			this.failures++;
			if (this.failures < MAX_FAILURES) {
				logger.warn("The lease's state file was not written; trying again: {}", ex.getMessage());
				return true;
			}
			giveUp(ex);
			return false;
		}
	}

	private void giveUp(IdGenerationException ex) {
		this.problem = ex;
		logger.warn("This process could not go on after a restart while the store of the leases is away: {}",
				ex.getMessage());
	}

	long reservedUntil() {
		return this.reservedUntil;
	}

	void close() {
		if (this.memory != null) {
			this.memory.close();
		}
	}

}
