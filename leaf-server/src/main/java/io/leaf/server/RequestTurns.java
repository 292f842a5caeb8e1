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

import org.springframework.jdbc.CannotGetJdbcConnectionException;

/**
 * Lets requests of clients for the same rows run one at a time, so that requests that
 * wait for the same locked rows together occupy one of the server's two connections. The
 * rows are the lease records of one {@code leaf.name} (reads and writes count apart), or
 * the rows of the segment table (only for requests that find or check them, which count
 * apart, and for the page {@code /db}).
 * <p>
 * If a request takes long and fails, its rows count as slow until a request for them
 * succeeds, or for a minute after the last request. Requests for slow rows of any kind
 * run one at a time, so that several locked names do not occupy both connections for
 * long.
 * <p>
 * A request that does not get its turn soon fails. Safe for use by any number of threads.
 */
public final class RequestTurns {

	/**
	 * Identifies the rows of the segment table.
	 */
	public static final String ROWS = "rows";

	/**
	 * The number of turns for lease records. The names come from clients, so there is no
	 * turn for each name; a few names share one.
	 */
	private static final int TURNS = 1024;

	/**
	 * How long a request waits for its turn. Requests normally take milliseconds.
	 */
	private static final Duration PATIENCE = Duration.ofSeconds(1);

	/**
	 * A request that fails makes its rows slow if it took at least this long.
	 */
	static final Duration SLOW = Duration.ofMillis(500);

	/**
	 * How long rows are slow if there is no further request for them.
	 */
	static final Duration FORGET = Duration.ofMinutes(1);

	// all turns are fair, so that each request gets its turn
	private final Semaphore rows = turn();

	private final Semaphore slow = turn();

	private final List<Semaphore> names = Stream.generate(RequestTurns::turn).limit(TURNS).toList();

	private final Map<String, Long> slowSince = new ConcurrentHashMap<>();

	private final LongSupplier nanoTime;

	/**
	 * Creates an instance.
	 * @param nanoTime the monotonic clock
	 */
	public RequestTurns(LongSupplier nanoTime) {
		this.nanoTime = nanoTime;
	}

	private static Semaphore turn() {
		return new Semaphore(1, true);
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
		Semaphore turn = rows.equals(ROWS) ? this.rows : this.names.get(Math.floorMod(rows.hashCode(), TURNS));
		return inTurn(turn,
				() -> isSlow(rows) ? inTurn(this.slow, () -> watched(rows, request)) : watched(rows, request));
	}

	private <T> T inTurn(Semaphore turn, Supplier<T> request) {
		if (!acquire(turn)) {
			throw new IdGenerationException(
					"The request was not sent to the database, because it did not get its turn within %d ms: an earlier request takes long. Repeat the request. If this happens often, check whether rows are locked in the database"
						.formatted(PATIENCE.toMillis()));
		}
		try {
			return request.get();
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
		long start = this.nanoTime.getAsLong();
		try {
			T result = request.get();
			this.slowSince.remove(rows);
			return result;
		}
		catch (IdGenerationException ex) {
			// a request that did not get a connection has not occupied one
			long end = this.nanoTime.getAsLong();
			if (end - start >= SLOW.toNanos() && !(ex.getCause() instanceof CannotGetJdbcConnectionException)) {
				// the names come from clients, so those that are no longer used are
				// removed
				this.slowSince.values().removeIf((since) -> !isRecent(since));
				this.slowSince.put(rows, end);
			}
			throw ex;
		}
	}

	private boolean isSlow(String rows) {
		long now = this.nanoTime.getAsLong();
		return this.slowSince.computeIfPresent(rows, (name, since) -> isRecent(since) ? (Long) now : null) != null;
	}

	private boolean isRecent(long since) {
		return this.nanoTime.getAsLong() - since < FORGET.toNanos();
	}

}
