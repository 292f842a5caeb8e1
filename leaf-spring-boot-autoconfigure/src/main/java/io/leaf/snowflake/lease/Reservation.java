// SPDX-License-Identifier: Apache-2.0

package io.leaf.snowflake.lease;

import java.time.Duration;

import io.leaf.IdGenerationException;
import io.leaf.snowflake.SnowflakeLayout;
import io.leaf.snowflake.lease.SavedLeaseStore.SavedLease;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The timestamps of a lease that are reserved in the state file. The lane of the lease
 * uses only timestamps that are reserved on disk. A process that resumes the claim from
 * the file can therefore start above every timestamp that was used.
 * <p>
 * If the file cannot be written, this process gives the file up: it saves no more leases
 * there. The file may then hold the present claim, with a reservation that the process
 * cannot extend. In this case, the process must claim another worker ID. The new claim is
 * not in the file, and therefore needs no reservation.
 * <p>
 * Not thread-safe, except that any thread may call {@link #problem()}.
 */
final class Reservation {

	/**
	 * How far the reservation reaches beyond the clock, or beyond the largest timestamp
	 * used if that is later. If a process is killed and another process resumes its
	 * claim, the other process starts its generator's clock after the end of the
	 * reservation, and therefore possibly ahead of the wall clock. If the disk hangs for
	 * longer than this duration, callers have to wait.
	 */
	static final Duration LENGTH = Duration.ofSeconds(5);

	// The number of failed writes in a row after which the file is given up. Attempts are
	// at most one second apart, so the reservation then still lasts long enough to claim
	// another worker ID.
	private static final int MAX_FAILURES = 2;

	private static final Logger logger = LoggerFactory.getLogger(Reservation.class);

	private final @Nullable SavedLeaseStore savedLeases;

	private volatile @Nullable IdGenerationException problem;

	private int failures;

	private @Nullable HeldLease lease;

	private long reservedUntil;

	Reservation(@Nullable SavedLeaseStore savedLeases) {
		this.savedLeases = savedLeases;
	}

	/**
	 * Opens the state file. If that fails, or if it is not known which store a saved
	 * lease would belong to, the process continues without saving its lease.
	 */
	void open(SnowflakeLayout layout, WorkerLeaseStore store) {
		if (this.savedLeases == null) {
			return;
		}
		String identity = store.identity();
		if (identity == null) {
			giveUp(new IdGenerationException(
					"It is not known which store the worker IDs come from (%s), and a saved lease is valid only in the store in which it was claimed. For JDBC, use a URL that names host and database, for the DataSource or as leaf.segment.datasource.url; for ZooKeeper, set leaf.snowflake.zookeeper.connect-string, or build the CuratorFramework with ensembleTracker(false)"
						.formatted(store.source())));
			return;
		}
		try {
			this.savedLeases.open(layout, identity);
		}
		catch (IdGenerationException ex) {
			giveUp(ex);
		}
	}

	/**
	 * Returns the saved lease, or {@code null} if there is none.
	 * @throws IdGenerationException if the state file cannot be used
	 */
	@Nullable SavedLease load() {
		IdGenerationException problem = this.problem;
		if (problem != null) {
			throw problem;
		}
		return (this.savedLeases != null) ? this.savedLeases.load() : null;
	}

	/**
	 * Erases a claim from the state file if the file may hold it.
	 * @return whether it is certain that the file does not hold the claim
	 */
	boolean erase(HeldLease lease) {
		if (this.savedLeases == null || this.lease != lease) {
			return true;
		}
		try {
			this.savedLeases.clear();
			this.lease = null;
			return true;
		}
		catch (Throwable ex) {
			logger.warn("Failed to clear the state file of the lease: {}", failure(ex).getMessage());
			return false;
		}
	}

	boolean isActive() {
		return this.savedLeases != null && this.problem == null;
	}

	/**
	 * Returns why claims are not saved, or {@code null} if they are saved or need not be.
	 */
	@Nullable IdGenerationException problem() {
		return this.problem;
	}

	/**
	 * Saves a claim in place of the previous claim.
	 * @return the largest timestamp that is reserved, or -1 if the state file had to be
	 * given up and may hold this claim
	 */
	long begin(HeldLease lease, long now) {
		this.lease = lease;
		this.failures = MAX_FAILURES - 1;
		this.reservedUntil = -1;
		return extend(Math.max(now, lease.floor())) ? this.reservedUntil : -1;
	}

	/**
	 * Extends the reservation.
	 * @param now the generator's clock, or the largest timestamp used so far if that is
	 * later
	 * @return {@code false} if the state file had to be given up; {@code true} otherwise,
	 * even if this write failed and will be repeated
	 */
	boolean extend(long now) {
		HeldLease lease = this.lease;
		if (lease == null || this.savedLeases == null || this.problem != null) {
			return false;
		}
		long until = Math.min(lease.horizon(), now + LENGTH.toMillis());
		if (until <= this.reservedUntil) {
			return true;
		}
		try {
			this.savedLeases.save(new SavedLease(lease.workerId(), lease.owner(), lease.horizon(), until));
			this.reservedUntil = until;
			this.failures = 0;
			return true;
		}
		catch (Throwable ex) {
			this.failures++;
			if (this.failures < MAX_FAILURES) {
				logger.warn("Failed to write the state file of the lease; trying again: {}", failure(ex).getMessage());
				return true;
			}
			giveUp(failure(ex));
			return false;
		}
	}

	// Even an Error is converted. Writing a file needs direct memory, and if the
	// application has used up the direct memory, an OutOfMemoryError is thrown.
	private static IdGenerationException failure(Throwable ex) {
		return (ex instanceof IdGenerationException failure) ? failure
				: new IdGenerationException("The state file could not be written: " + ex, ex);
	}

	private void giveUp(IdGenerationException ex) {
		this.problem = ex;
		logger.warn(
				"The lease of this process is not saved, so the process cannot issue IDs if it restarts while the store is unavailable: {}",
				ex.getMessage());
	}

	long reservedUntil() {
		return this.reservedUntil;
	}

	void close() {
		if (this.savedLeases != null) {
			this.savedLeases.close();
		}
	}

}
