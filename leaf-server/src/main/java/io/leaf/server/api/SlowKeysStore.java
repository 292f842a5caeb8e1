// SPDX-License-Identifier: Apache-2.0

package io.leaf.server.api;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.leaf.segment.SegmentRow;
import io.leaf.segment.SegmentStore;
import io.leaf.segment.SegmentStoreException;

import org.springframework.jdbc.CannotGetJdbcConnectionException;

/**
 * Keeps connections free for other keys while a row is locked in the database. Without
 * this class, each request for the key of the locked row would occupy a connection until
 * the request times out, and a server has only a few connections for all its clients.
 * <p>
 * For each key, one request at a time uses a connection, and further requests wait
 * without a connection. If a request takes long and fails, its key becomes slow. The key
 * remains slow until a request for it succeeds, or until {@link #SLOW_FOR} has passed
 * since the last such failure. All slow keys share one connection. A request that does
 * not get this connection soon fails, so that it does not occupy a thread for long
 * either. Numbers are also given back through the connection of the slow keys, because
 * giving back locks the rows of many keys.
 * <p>
 * Safe for use by any number of threads.
 */
final class SlowKeysStore implements SegmentStore {

	/**
	 * A failed request makes its key slow if the request took at least this long. A
	 * healthy database answers within milliseconds.
	 */
	static final Duration SLOW = Duration.ofMillis(500);

	/**
	 * How long a request waits for the connection of the slow keys. A request that
	 * succeeds occupies this connection for only a few milliseconds.
	 */
	private static final Duration PATIENCE = Duration.ofMillis(100);

	/**
	 * How long a key remains slow after its last failure. Without this limit, a key could
	 * remain slow forever, because no request for the key can succeed as long as requests
	 * for other slow keys occupy the connection.
	 */
	static final Duration SLOW_FOR = Duration.ofSeconds(10);

	private static final Duration GIVE_BACK_PATIENCE = Duration.ofSeconds(1);

	private static final Duration CREATE_TIMEOUT = Duration.ofSeconds(5);

	private static final int GATES = 1024;

	private final SegmentStore store;

	private final LongSupplier nanoTime;

	// A gate admits one request at a time. The hash code of a key determines its gate, so
	// several keys may share a gate. The key of a locked row delays the other keys of its
	// gate only until that key becomes slow, because slow keys use the slow gate.
	private final Semaphore[] gates = Stream.generate(() -> new Semaphore(1, true))
		.limit(GATES)
		.toArray(Semaphore[]::new);

	private final Semaphore slowGate = new Semaphore(1, true);

	private final Map<String, Failure> failures = new ConcurrentHashMap<>();

	/**
	 * Creates a store.
	 * @param store the store that executes the requests
	 * @param nanoTime the monotonic clock
	 */
	SlowKeysStore(SegmentStore store, LongSupplier nanoTime) {
		this.store = store;
		this.nanoTime = nanoTime;
	}

	@Override
	public Allocation allocate(String key, long size, long floor, Duration timeout) {
		return run(key, timeout, (left) -> this.store.allocate(key, size, floor, left));
	}

	@Override
	public Allocation allocate(String key, long size, Window window, Duration timeout) {
		return run(key, timeout, (left) -> this.store.allocate(key, size, window, left));
	}

	@Override
	public Counter read(String key, Duration timeout) {
		return run(key, timeout, (left) -> this.store.read(key, left));
	}

	@Override
	public void create(String key, int step, long from) {
		run(key, CREATE_TIMEOUT, (left) -> {
			this.store.create(key, step, from);
			return true;
		});
	}

	private <T> T run(String key, Duration timeout, Function<Duration, T> request) {
		boolean slow = isSlow(key);
		Semaphore gate = slow ? this.slowGate : gate(key);
		long start = this.nanoTime.getAsLong();
		if (!acquire(gate, slow ? PATIENCE : timeout)) {
			throw busy(key);
		}
		try {
			Duration left = timeout.minusNanos(this.nanoTime.getAsLong() - start);
			if (left.isNegative() || left.isZero() || (!slow && isSlow(key))) {
				throw busy(key);
			}
			return measured(key, () -> request.apply(left));
		}
		finally {
			gate.release();
		}
	}

	private Semaphore gate(String key) {
		return this.gates[Math.floorMod(key.hashCode(), GATES)];
	}

	/**
	 * Returns how many requests wait at the gate of a key. The gate may be shared with
	 * other keys. The key must not be slow, because slow keys use another gate.
	 */
	int waiting(String key) {
		return gate(key).getQueueLength();
	}

	private boolean isSlow(String key) {
		Failure failure = this.failures.get(key);
		return failure != null && this.nanoTime.getAsLong() - failure.nanos() < SLOW_FOR.toNanos();
	}

	private <T> T measured(String key, Supplier<T> request) {
		long start = this.nanoTime.getAsLong();
		try {
			T result = request.get();
			this.failures.remove(key);
			return result;
		}
		catch (SegmentStoreException ex) {
			// a request that did not get a connection has not occupied one, so its key
			// does not become slow
			long end = this.nanoTime.getAsLong();
			if (end - start >= SLOW.toNanos() && !(ex.getCause() instanceof CannotGetJdbcConnectionException)) {
				this.failures.put(key, new Failure(String.valueOf(ex.getMessage()), end));
			}
			throw ex;
		}
	}

	private static boolean acquire(Semaphore gate, Duration patience) {
		try {
			return gate.tryAcquire(patience.toNanos(), TimeUnit.NANOSECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return false;
		}
	}

	private SegmentStoreException busy(String key) {
		Failure failure = this.failures.get(key);
		return new SegmentStoreException((failure != null)
				? "The row of key '%s' may be locked in the database: a slow request for the key failed (%s), and this request was not sent"
					.formatted(key, failure.reason())
				: "The request for key '%s' has timed out while it waited for earlier requests".formatted(key), null,
				false);
	}

	@Override
	public Set<String> giveBack(List<Unissued> unissued) {
		if (!acquire(this.slowGate, GIVE_BACK_PATIENCE)) {
			throw new SegmentStoreException(
					"No connection was free to give numbers back, because rows may be locked in the database", null,
					false);
		}
		try {
			return this.store.giveBack(unissued);
		}
		finally {
			this.slowGate.release();
		}
	}

	@Override
	public void checkWritable() {
		this.store.checkWritable();
	}

	@Override
	public List<SegmentRow> findAll() {
		return this.store.findAll();
	}

	@Override
	public List<SegmentRow> find(Collection<String> keys) {
		return this.store.find(keys);
	}

	/**
	 * Why and when the last slow request for a key failed.
	 */
	private record Failure(String reason, long nanos) {

	}

}
