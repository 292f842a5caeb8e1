// SPDX-License-Identifier: Apache-2.0

package io.leaf.server;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

import io.leaf.IdGenerationException;

import org.springframework.jdbc.CannotGetJdbcConnectionException;

/**
 * Lets requests for worker IDs, requests that read or check rows, and the page
 * {@code /db} together use at most one connection to the database, so that another one
 * remains for allocations. Without this class, two requests that wait for locked rows
 * would occupy both connections of the server.
 * <p>
 * A request that does not get its turn soon fails. If a request takes long and fails,
 * requests for the same rows fail immediately for {@link #PAUSE}, so that requests for
 * other rows get their turn while rows are locked.
 * <p>
 * Safe for use by any number of threads.
 */
public final class SharedConnection {

	/**
	 * How long a request waits for its turn. Requests normally take milliseconds.
	 */
	private static final Duration PATIENCE = Duration.ofSeconds(1);

	/**
	 * A failed request pauses requests for the same rows if it took at least this long.
	 */
	static final Duration SLOW = Duration.ofMillis(500);

	/**
	 * How long requests for the same rows are paused. In this time, requests for other
	 * rows get their turn. The pause is not longer than the default report interval, so
	 * that after an outage of the database, leases are renewed within two of these
	 * intervals.
	 */
	static final Duration PAUSE = Duration.ofSeconds(3);

	// fair, so that each request gets its turn
	private final Semaphore turn = new Semaphore(1, true);

	private final Map<String, Failure> failures = new ConcurrentHashMap<>();

	private final LongSupplier nanoTime;

	/**
	 * Creates an instance.
	 * @param nanoTime the monotonic clock
	 */
	public SharedConnection(LongSupplier nanoTime) {
		this.nanoTime = nanoTime;
	}

	/**
	 * Runs a request when no other request runs.
	 * @param <T> the type of the result
	 * @param rows a text that identifies the rows that the request uses
	 * @param request the request, which uses at most one connection at a time
	 * @return what the request returned
	 * @throws IdGenerationException if the request has failed, or was not run
	 */
	public <T> T run(String rows, Supplier<T> request) {
		requireNoPause(rows);
		if (!acquire()) {
			throw new IdGenerationException(
					"The request was not sent to the database, because it has waited %d ms for earlier requests, with which it shares a connection. Repeat the request. If this happens often, check whether rows are locked in the database"
						.formatted(PATIENCE.toMillis()));
		}
		try {
			requireNoPause(rows);
			return measured(rows, request);
		}
		finally {
			this.turn.release();
		}
	}

	private boolean acquire() {
		try {
			return this.turn.tryAcquire(PATIENCE.toNanos(), TimeUnit.NANOSECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return false;
		}
	}

	private <T> T measured(String rows, Supplier<T> request) {
		long start = this.nanoTime.getAsLong();
		try {
			return request.get();
		}
		catch (IdGenerationException ex) {
			// a request that did not get a connection has not occupied one
			long end = this.nanoTime.getAsLong();
			if (end - start >= SLOW.toNanos() && !(ex.getCause() instanceof CannotGetJdbcConnectionException)) {
				// the texts come from clients, so those that are no longer needed are
				// removed
				this.failures.values().removeIf((failure) -> !isRecent(failure));
				this.failures.put(rows, new Failure(String.valueOf(ex.getMessage()), end));
			}
			throw ex;
		}
	}

	private void requireNoPause(String rows) {
		Failure failure = this.failures.get(rows);
		if (failure != null && isRecent(failure)) {
			throw new IdGenerationException(
					"The rows may be locked in the database: a slow request for the same rows failed (%s), and this request was not sent. End the transaction that has locked the rows. Requests are sent again %d s after the failure"
						.formatted(failure.reason(), PAUSE.toSeconds()));
		}
	}

	private boolean isRecent(Failure failure) {
		return this.nanoTime.getAsLong() - failure.nanos() < PAUSE.toNanos();
	}

	/**
	 * Why and when a slow request failed.
	 */
	private record Failure(String reason, long nanos) {

	}

}
