// SPDX-License-Identifier: Apache-2.0

package io.leaf.server;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.leaf.IdGenerationException;

import org.springframework.dao.PessimisticLockingFailureException;
import org.springframework.dao.QueryTimeoutException;

/**
 * Lets requests of clients for the same rows run one at a time, so that all requests that
 * wait for the same locked rows together occupy one of the server's two connections. The
 * rows are the lease records of one {@code leaf.name}, or the rows of the segment table
 * (only for requests that find or check them, and for the page {@code /db}).
 * <p>
 * A request that does not get its turn soon fails. If a request times out, or fails
 * because of a lock, further requests for the same rows fail immediately for
 * {@link #PAUSE}.
 * <p>
 * Safe for use by any number of threads.
 */
public final class RequestTurns {

	/**
	 * Identifies the rows of the segment table.
	 */
	public static final String ROWS = "rows";

	/**
	 * How many requests for different rows may run at the same time. The names come from
	 * clients, so there is no lock for each name.
	 */
	private static final int TURNS = 64;

	/**
	 * How long a request waits for its turn. Requests normally take milliseconds.
	 */
	private static final Duration PATIENCE = Duration.ofSeconds(1);

	/**
	 * How long requests for the same rows are paused. In this time, the connection is
	 * free. The pause is not longer than the default report interval, so that leases are
	 * renewed within two of these intervals after the lock has been released.
	 */
	static final Duration PAUSE = Duration.ofSeconds(3);

	// fair, so that each request gets its turn
	private final List<Semaphore> turns = Stream.generate(() -> new Semaphore(1, true)).limit(TURNS).toList();

	private final Map<String, Failure> failures = new ConcurrentHashMap<>();

	private final LongSupplier nanoTime;

	/**
	 * Creates an instance.
	 * @param nanoTime the monotonic clock
	 */
	public RequestTurns(LongSupplier nanoTime) {
		this.nanoTime = nanoTime;
	}

	/**
	 * Runs a request when no other request for the same rows runs.
	 * @param <T> the type of the result
	 * @param rows a text that identifies the rows that the request uses
	 * @param request the request, which uses at most one connection at a time
	 * @return what the request returned
	 * @throws IdGenerationException if the request has failed, or was not run
	 */
	public <T> T run(String rows, Supplier<T> request) {
		requireNoPause(rows);
		Semaphore turn = this.turns.get(Math.floorMod(rows.hashCode(), TURNS));
		if (!acquire(turn)) {
			throw new IdGenerationException(
					"The request was not sent to the database, because it has waited %d ms for an earlier request for the same rows. Repeat the request. If this happens often, check whether rows are locked in the database"
						.formatted(PATIENCE.toMillis()));
		}
		try {
			requireNoPause(rows);
			return watched(rows, request);
		}
		finally {
			turn.release();
		}
	}

	private static boolean acquire(Semaphore turn) {
		try {
			return turn.tryAcquire(PATIENCE.toNanos(), TimeUnit.NANOSECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return false;
		}
	}

	private <T> T watched(String rows, Supplier<T> request) {
		try {
			return request.get();
		}
		catch (IdGenerationException ex) {
			if (ex.getCause() instanceof QueryTimeoutException
					|| ex.getCause() instanceof PessimisticLockingFailureException) {
				// the names come from clients, so failures that are over are removed
				this.failures.values().removeIf((failure) -> !isRecent(failure));
				this.failures.put(rows, new Failure(String.valueOf(ex.getMessage()), this.nanoTime.getAsLong()));
			}
			throw ex;
		}
	}

	private void requireNoPause(String rows) {
		Failure failure = this.failures.get(rows);
		if (failure != null && isRecent(failure)) {
			throw new IdGenerationException(
					"The rows may be locked in the database: an earlier request for the same rows failed (%s), and this request was not sent. End the transaction that has locked the rows. Requests are sent again %d s after the failure"
						.formatted(failure.reason(), PAUSE.toSeconds()));
		}
	}

	private boolean isRecent(Failure failure) {
		return this.nanoTime.getAsLong() - failure.nanos() < PAUSE.toNanos();
	}

	/**
	 * Why and when a request failed.
	 */
	private record Failure(String reason, long nanos) {

	}

}
