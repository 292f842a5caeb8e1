// SPDX-License-Identifier: Apache-2.0

package io.leaf.server;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.leaf.IdGenerationException;

import org.springframework.jdbc.CannotGetJdbcConnectionException;

/**
 * Keeps one of the server's two connections free while rows are locked in the database.
 * Without turns, each request that waits for a locked row would occupy a connection until
 * it times out.
 * <p>
 * Each request names its turn and its rows. Requests with the same turn run one at a
 * time; the others wait without a connection. If a request takes long and fails, its rows
 * become slow, until a request for them succeeds or none has been made for a minute.
 * Requests for slow rows do not take their own turn, but the slow turn, which is the same
 * for all of them. All locked rows together therefore occupy one connection, once a
 * request for each of them has failed. A request that waits for the slow turn may run
 * next to one for the same rows if these rows cease to be slow.
 * <p>
 * The slow turn is usually taken while rows are locked. A request whose rows have failed
 * recently waits for it only briefly, so that it does not occupy a thread for long.
 * Later, a request waits for it as long as its timeout allows, and a request without a
 * timeout waits for about as long as another one holds the slow turn. So rows that are no
 * longer locked are noticed in the end although others still are, the later the more rows
 * are locked. If a request for the same rows fails in the meantime, the waiting request
 * fails as well.
 * <p>
 * Safe for use by any number of threads.
 */
public final class RequestTurns {

	/**
	 * The turn and the rows of requests that read or check the segment table.
	 */
	public static final String ROWS = "the segment table";

	/**
	 * How long a request without a timeout of its own waits for its turn. Requests
	 * normally take milliseconds.
	 */
	private static final Duration PATIENCE = Duration.ofSeconds(1);

	/**
	 * A request that fails makes its rows slow if it took at least this long.
	 */
	static final Duration SLOW = Duration.ofMillis(500);

	/**
	 * How long after a failure a request for the same rows waits for the slow turn only
	 * for {@link #SLOW_PATIENCE}.
	 */
	static final Duration RECENT = Duration.ofSeconds(10);

	private static final Duration SLOW_PATIENCE = Duration.ofMillis(100);

	/**
	 * How long a request with a timeout may take while it has the slow turn, and about
	 * how long a request without one waits for the slow turn. This is the time in which
	 * the library's statements without a timeout of their own time out.
	 */
	static final Duration HOLD = Duration.ofSeconds(5);

	/**
	 * How long rows are slow if there is no further request for them.
	 */
	static final Duration FORGET = Duration.ofMinutes(1);

	/**
	 * The number of turns. The names of turns contain keys and names that clients choose,
	 * so a few of them share a turn.
	 */
	private static final int TURNS = 1024;

	// all turns are fair, so that each request gets its turn
	private final List<Semaphore> turns = Stream.generate(RequestTurns::turn).limit(TURNS).toList();

	private final Semaphore rows = turn();

	private final Semaphore slow = turn();

	private final Map<String, Failure> failures = new ConcurrentHashMap<>();

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
	 * Runs a request for the segment table when no other such request runs.
	 * @param <T> the type of the result
	 * @param request the request, which uses at most one connection at a time
	 * @return what the request returned
	 * @throws IdGenerationException if the request has failed, or did not get its turn
	 */
	public <T> T runForRows(Supplier<T> request) {
		return run(ROWS, ROWS, request);
	}

	/**
	 * Runs a request without a timeout of its own when it has its turn.
	 * @param <T> the type of the result
	 * @param turn the turn
	 * @param rows the rows for which the request may wait, in words, for exceptions
	 * @param request the request, which uses at most one connection at a time
	 * @return what the request returned
	 * @throws IdGenerationException if the request has failed, or did not get its turn
	 */
	public <T> T run(String turn, String rows, Supplier<T> request) {
		return run(turn, rows, PATIENCE, PATIENCE.plus(HOLD), (left) -> request.get());
	}

	/**
	 * Runs a request when it has its turn.
	 * @param <T> the type of the result
	 * @param turn the turn
	 * @param rows the rows for which the request may wait, in words, for exceptions
	 * @param timeout how long the request may wait for its turn and take
	 * @param request the request, which uses at most one connection at a time. Its
	 * argument is how long it may take
	 * @return what the request returned
	 * @throws IdGenerationException if the request has failed, or did not get its turn
	 */
	public <T> T run(String turn, String rows, Duration timeout, Function<Duration, T> request) {
		return run(turn, rows, timeout, timeout, request);
	}

	private <T> T run(String turn, String rows, Duration patience, Duration timeout, Function<Duration, T> request) {
		long start = this.nanoTime.getAsLong();
		if (!isSlow(rows)) {
			Semaphore own = turn(turn);
			acquire(own, patience, rows);
			try {
				if (!isSlow(rows)) {
					return watched(rows, left(timeout, start, rows), request);
				}
			}
			finally {
				own.release();
			}
		}
		Failure failure = this.failures.get(rows);
		boolean brief = failure != null && this.nanoTime.getAsLong() - failure.nanos() < RECENT.toNanos();
		acquire(this.slow, brief ? SLOW_PATIENCE : left(timeout, start, rows), rows);
		try {
			failure = this.failures.get(rows);
			if (failure != null && failure.nanos() - start > 0) {
				// a request that waited with this one has failed
				throw noTurn(rows);
			}
			Duration left = left(timeout, start, rows);
			return watched(rows, (left.compareTo(HOLD) < 0) ? left : HOLD, request);
		}
		finally {
			this.slow.release();
		}
	}

	/**
	 * Runs a request that may wait for many rows, when it has the slow turn.
	 * @param <T> the type of the result
	 * @param request the request, which uses at most one connection at a time
	 * @return what the request returned
	 * @throws IdGenerationException if the request has failed, or did not get its turn
	 */
	public <T> T runAsSlow(Supplier<T> request) {
		acquire(this.slow, PATIENCE, "many keys");
		try {
			return request.get();
		}
		finally {
			this.slow.release();
		}
	}

	private Semaphore turn(String turn) {
		return turn.equals(ROWS) ? this.rows : this.turns.get(Math.floorMod(turn.hashCode(), TURNS));
	}

	/**
	 * Returns how many requests wait for a turn, or for another one that shares it.
	 */
	public int waiting(String turn) {
		return turn(turn).getQueueLength();
	}

	int waitingForSlowTurn() {
		return this.slow.getQueueLength();
	}

	private void acquire(Semaphore turn, Duration patience, String rows) {
		try {
			if (turn.tryAcquire(patience.toNanos(), TimeUnit.NANOSECONDS)) {
				return;
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		throw noTurn(rows);
	}

	private Duration left(Duration timeout, long start, String rows) {
		Duration left = timeout.minusNanos(this.nanoTime.getAsLong() - start);
		if (left.isNegative() || left.isZero()) {
			throw noTurn(rows);
		}
		return left;
	}

	private IdGenerationException noTurn(String rows) {
		Failure failure = this.failures.get(rows);
		return new IdGenerationException((failure != null)
				? "The request was not sent to the database, because an earlier request for %s took long and failed (%s). Check whether rows are locked in the database"
					.formatted(rows, failure.reason())
				: "The request for %s was not sent to the database, because it did not get its turn in time: an earlier request takes long. Repeat the request. If this happens often, check whether rows are locked in the database"
					.formatted(rows));
	}

	private <T> T watched(String rows, Duration left, Function<Duration, T> request) {
		long start = this.nanoTime.getAsLong();
		try {
			T result = request.apply(left);
			this.failures.remove(rows);
			return result;
		}
		catch (IdGenerationException ex) {
			// a request that did not get a connection has not occupied one
			long end = this.nanoTime.getAsLong();
			if (end - start >= SLOW.toNanos() && !(ex.getCause() instanceof CannotGetJdbcConnectionException)) {
				// clients choose keys and names, so those that are no longer used are
				// removed
				this.failures.values().removeIf((failure) -> !failure.counts(end));
				this.failures.put(rows, new Failure(String.valueOf(ex.getMessage()), end, end));
			}
			throw ex;
		}
	}

	private boolean isSlow(String rows) {
		long now = this.nanoTime.getAsLong();
		return this.failures.computeIfPresent(rows,
				(key, failure) -> failure.counts(now) ? failure.requestedAt(now) : null) != null;
	}

	/**
	 * The last slow failure of a request for some rows.
	 *
	 * @param reason why the request failed
	 * @param nanos when it failed
	 * @param requested when the rows were last requested
	 */
	private record Failure(String reason, long nanos, long requested) {

		boolean counts(long now) {
			return now - this.requested < FORGET.toNanos();
		}

		Failure requestedAt(long now) {
			return new Failure(this.reason, this.nanos, now);
		}

	}

}
