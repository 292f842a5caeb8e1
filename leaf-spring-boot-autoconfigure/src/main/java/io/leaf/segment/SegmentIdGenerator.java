// SPDX-License-Identifier: Apache-2.0

package io.leaf.segment;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Predicate;

import io.leaf.IdGenerator;
import io.leaf.IdSequence;
import io.leaf.InvalidRequestException;
import io.leaf.segment.SegmentStore.Allocation;
import io.leaf.segment.SegmentStore.Unissued;
import io.leaf.support.DurationText;
import io.leaf.support.FailureText;
import io.leaf.support.IdArguments;
import io.leaf.support.NewKeys;
import io.leaf.text.IdFormat;
import io.leaf.text.IdFormats;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Issues IDs from segments: blocks of numbers that are fetched from a
 * {@link SegmentStore} ahead of use and issued from memory, in the {@link Ordering} of
 * the key. For keys with {@linkplain Ordering#GLOBAL global ordering}, no numbers are
 * kept in memory.
 * <p>
 * Safe for use by any number of threads. {@link #start()} must have returned before IDs
 * are requested. {@link #close()} returns unused numbers to the store if
 * {@link SegmentSettings#giveBack()} is set.
 */
public final class SegmentIdGenerator implements IdGenerator, NewKeys, AutoCloseable {

	private static final Logger logger = LoggerFactory.getLogger(SegmentIdGenerator.class);

	/**
	 * How long startup waits for a store that cannot be reached, as a multiple of the
	 * acquire timeout. Startup waits longer than a call, because the first connection of
	 * a process may take seconds on a busy machine.
	 */
	private static final int START_PATIENCE = 5;

	/**
	 * How long one attempt to read the rows may take at startup. Stores usually fail
	 * earlier because of their own timeouts.
	 */
	private static final Duration READ_TIMEOUT = Duration.ofSeconds(60);

	/**
	 * How long closing waits for fetches in progress. Once this time has passed since
	 * closing began, no further statement that gives numbers back is started. A statement
	 * that has been started may take until its own timeout.
	 */
	private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(5);

	/**
	 * The largest number of keys in one statement that gives numbers back. The statement
	 * locks the rows of all these keys.
	 */
	private static final int GIVE_BACK_BATCH = 100;

	private final SegmentStore store;

	private final SegmentSettings settings;

	private final IdFormats formats;

	private final SegmentEnvironment environment;

	private final KeyDirectory keys;

	private volatile @Nullable Throwable rowsFailure = new SegmentStoreException("The rows have not been read yet",
			null, true);

	/**
	 * Creates a generator with threads of its own and without formats for the keys.
	 * @param store the store that segments are fetched from
	 * @param settings the settings
	 */
	public SegmentIdGenerator(SegmentStore store, SegmentSettings settings) {
		this(store, settings, new IdFormats(Map.of()));
	}

	/**
	 * Creates a generator with threads of its own.
	 * @param store the store that segments are fetched from
	 * @param settings the settings
	 * @param formats the formats of the keys
	 */
	public SegmentIdGenerator(SegmentStore store, SegmentSettings settings, IdFormats formats) {
		this(store, settings, formats, SegmentEnvironment.system());
	}

	SegmentIdGenerator(SegmentStore store, SegmentSettings settings, SegmentEnvironment environment) {
		this(store, settings, new IdFormats(Map.of()), environment);
	}

	private SegmentIdGenerator(SegmentStore store, SegmentSettings settings, IdFormats formats,
			SegmentEnvironment environment) {
		this.store = store;
		this.settings = settings;
		this.formats = formats;
		this.environment = environment;
		this.keys = new KeyDirectory(store, settings, environment);
	}

	/**
	 * Reads the rows of all keys, and reads them again after every refresh interval.
	 * @throws SegmentStoreException if {@link SegmentSettings#failFast()} is set, and the
	 * store rejects the request to read or update the rows, is unavailable for five times
	 * the acquire timeout, or has a counter that does not fit the periods of its key or
	 * is too far ahead of the store's clock. The generator is then closed
	 */
	public void start() {
		try {
			readRows();
			this.rowsFailure = null;
		}
		catch (SegmentStoreException ex) {
			if (this.settings.failFast()) {
				this.keys.close();
				this.environment.executor().shutdownNow();
				this.environment.async().close();
				throw ex;
			}
			this.rowsFailure = ex;
			logger.warn("Starting without having read the rows of any key, because leaf.segment.fail-fast=false: {}",
					ex.getMessage());
		}
		if (this.settings.preload()) {
			preload(new ConcurrentLinkedQueue<>(this.keys.all()));
		}
		long interval = this.settings.refreshInterval().toNanos();
		this.environment.executor().scheduleWithFixedDelay(this::refresh, interval, interval, TimeUnit.NANOSECONDS);
	}

	// The keys are preloaded one after the other. If ten thousand fetches were queued at
	// once, a caller that needs the last key would wait for the fetches of all the other
	// keys.
	private void preload(Queue<KeySequence> left) {
		KeySequence sequence = left.poll();
		if (sequence != null) {
			sequence.preload();
			// the task for the next key is queued behind the fetch for this key
			this.environment.executor().execute(() -> preload(left));
		}
	}

	private void readRows() {
		Duration patience = this.settings.acquireTimeout().multipliedBy(START_PATIENCE);
		long start = this.environment.nanoTime().getAsLong();
		Duration delay = Duration.ZERO;
		for (int failures = 1;; failures++) {
			try {
				await(this.environment.executor().schedule(this::readRowsOnce, delay.toNanos(), TimeUnit.NANOSECONDS));
				return;
			}
			catch (SegmentStoreException ex) {
				long lasted = this.environment.nanoTime().getAsLong() - start;
				if (!this.settings.failFast() || ex.isRefusal() || lasted > patience.toNanos()) {
					throw ex;
				}
				logger.debug("Attempt {} to read the rows failed", failures, ex);
				delay = this.environment.backoff(failures);
			}
		}
	}

	private void readRowsOnce() {
		this.keys.refresh();
		if (this.settings.failFast()) {
			this.store.checkWritable();
			this.keys.checkPeriods();
		}
	}

	private static void await(Future<?> rows) {
		try {
			rows.get(READ_TIMEOUT.toNanos(), TimeUnit.NANOSECONDS);
		}
		catch (ExecutionException ex) {
			if (ex.getCause() instanceof SegmentStoreException failure) {
				throw failure;
			}
			throw new SegmentStoreException("Cannot read the rows of the keys: " + ex.getCause(), ex.getCause(), true);
		}
		catch (TimeoutException ex) {
			throw new SegmentStoreException(
					"The rows of the keys were not read within %s. Check that the database answers, or set leaf.segment.fail-fast=false to start without the database"
						.formatted(DurationText.of(READ_TIMEOUT)),
					ex, true);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new SegmentStoreException("The thread was interrupted while it waited for the rows of the keys", ex,
					true);
		}
	}

	private void refresh() {
		try {
			this.keys.refresh();
			this.rowsFailure = null;
		}
		// everything is caught, because a periodic task that throws is never run again
		catch (Throwable ex) {
			this.rowsFailure = ex;
			try {
				logger.warn("Refreshing the keys failed: {}. Next attempt in {}", FailureText.of(ex),
						DurationText.of(this.settings.refreshInterval()));
				logger.debug("Refreshing the keys failed", ex);
			}
			catch (Throwable notLogged) {
				// logging has failed, for example with an OutOfMemoryError. rowsFailure()
				// still reports why the refresh failed
			}
		}
	}

	@Override
	public long nextId(String key) {
		return this.keys.known(key).nextId();
	}

	@Override
	public long[] nextIds(String key, int count) {
		IdArguments.checkCount(count);
		return this.keys.known(key).nextIds(count);
	}

	@Override
	public String nextText(String key) {
		return this.formats.of(key).format(nextId(key));
	}

	/**
	 * Takes consecutive numbers of a key from memory, to hand them out to another
	 * process. Never waits for the store. If memory holds too few numbers, more are
	 * fetched for later calls.
	 * @param key the key
	 * @param size how many numbers, at least 1
	 * @param floor the smallest number that may be taken, 0 for any
	 * @return the numbers, or {@code null} if memory holds too few, if the next number
	 * lies below the floor, if the key has periods or {@linkplain Ordering#GLOBAL global
	 * ordering}, if this generator has not read the row of the key or has found it
	 * removed, or if this generator is closed
	 */
	public @Nullable Allocation takeRange(String key, long size, long floor) {
		KeySequence sequence = this.keys.find(key);
		return (sequence != null) ? sequence.takeRange(size, floor) : null;
	}

	@Override
	public IdSequence sequence(String key) {
		KeySequence sequence = this.keys.find(IdArguments.checkKey(key));
		return (sequence != null) ? sequence : new DeferredSequence(key, this.keys);
	}

	@Override
	public boolean isNew(String key) {
		return this.keys.isNew(key);
	}

	@Override
	public boolean isDecimal(String key, String text) {
		IdFormat format = this.formats.byKey().get(key);
		try {
			return format == null || format.parse(text) == Long.parseLong(text);
		}
		catch (InvalidRequestException ex) {
			return false;
		}
	}

	@Override
	public void startAbove(String key, long largestId) {
		this.keys.startAbove(key, largestId);
	}

	/**
	 * Returns the status of each key that has a row. Reads memory only.
	 * @return the status by key, in the order of the keys
	 */
	public Map<String, SegmentStatus> status() {
		Map<String, SegmentStatus> status = new TreeMap<>();
		for (KeySequence sequence : this.keys.all()) {
			if (sequence.isIssuing()) {
				status.put(sequence.key(), sequence.status());
			}
		}
		return status;
	}

	/**
	 * Returns the status of each key that has a row and for which numbers have been
	 * requested from the store. Reads memory only, and does not iterate over other keys.
	 * @return the status by key, in the order of the keys
	 */
	public Map<String, SegmentStatus> usedStatus() {
		Map<String, SegmentStatus> status = new LinkedHashMap<>();
		for (KeySequence sequence : this.keys.used()) {
			if (sequence.isIssuing()) {
				status.put(sequence.key(), sequence.status());
			}
		}
		return status;
	}

	/**
	 * Returns how many keys have a row. Does not iterate over the keys.
	 * @return the number of keys
	 */
	public int keyCount() {
		return this.keys.count();
	}

	/**
	 * Searches the keys that have a row. A key is unused if no numbers have been
	 * requested for it from the store. Reads memory only.
	 * @param matching the condition that the keys must meet
	 * @param limit the largest number of unused keys to return
	 * @return how many keys match, and up to {@code limit} of the matching unused keys:
	 * those that come first in the order of the keys
	 */
	public FoundKeys findKeys(Predicate<String> matching, int limit) {
		int total = 0;
		TreeSet<String> unused = new TreeSet<>();
		for (KeySequence sequence : this.keys.all()) {
			if (sequence.isIssuing() && matching.test(sequence.key())) {
				total++;
				if (!sequence.isRequested()) {
					unused.add(sequence.key());
					if (unused.size() > limit) {
						unused.pollLast();
					}
				}
			}
		}
		return new FoundKeys(total, List.copyOf(unused));
	}

	/**
	 * Returns the status of a key. Reads memory only.
	 * @param key the key
	 * @return the status, or {@code null} if this generator has not read the row of the
	 * key or has found it removed, or if this generator is closed
	 */
	public @Nullable SegmentStatus status(String key) {
		KeySequence sequence = this.keys.find(key);
		return (sequence != null && sequence.isIssuing()) ? sequence.status() : null;
	}

	/**
	 * Returns the status of a key. If the row of the key was removed or this generator
	 * was closed, returns the last status of the key. Reads memory only.
	 * @param key the key
	 * @return the status, or {@code null} if this generator has never read the row of the
	 * key
	 */
	public @Nullable SegmentStatus lastStatus(String key) {
		KeySequence sequence = this.keys.find(key);
		return (sequence != null) ? sequence.status() : null;
	}

	/**
	 * Before this method returns, notifies a listener of every key whose row has been
	 * seen, in the order of the keys. Afterwards, notifies the listener of every other
	 * key when the row of that key is first seen. A key whose row is first seen during
	 * this call may be reported twice.
	 * @param listener the listener. It is also called on threads of the library, and must
	 * not block
	 */
	public void onKey(Consumer<String> listener) {
		this.keys.onKey(listener);
	}

	/**
	 * Returns why the last attempt to read the rows failed. Before the first attempt has
	 * ended, returns an exception whose message says that the rows have not been read
	 * yet.
	 * @return the failure, or {@code null} if the last attempt succeeded
	 */
	public @Nullable Throwable rowsFailure() {
		return this.rowsFailure;
	}

	/**
	 * Starts no further fetch, waits up to five seconds for fetches in progress, and then
	 * stops issuing IDs. If {@link SegmentSettings#giveBack()} is set, also returns the
	 * unissued numbers at the end of each key's last segment to the store, unless another
	 * process has allocated numbers of the key after that segment. Once five seconds have
	 * passed since the call, starts no further statement that gives numbers back. Numbers
	 * that are not given back are never issued, which does no harm. Later calls have no
	 * effect.
	 */
	@Override
	public void close() {
		// clears the interrupted status: an interrupted thread could neither wait for the
		// fetches nor give numbers back
		boolean interrupted = Thread.interrupted();
		long start = this.environment.nanoTime().getAsLong();
		this.keys.close();
		this.environment.async().close();
		this.environment.executor().shutdown();
		try {
			this.environment.executor().awaitTermination(CLOSE_TIMEOUT.toNanos(), TimeUnit.NANOSECONDS);
		}
		catch (InterruptedException ex) {
			interrupted = true;
		}
		try {
			fenceAndGiveBack(start);
		}
		finally {
			if (interrupted) {
				Thread.currentThread().interrupt();
			}
		}
	}

	private void fenceAndGiveBack(long start) {
		List<Unissued> unissued = new ArrayList<>();
		for (KeySequence sequence : this.keys.all()) {
			Unissued tail = sequence.fence();
			if (tail != null) {
				unissued.add(tail);
			}
		}
		if (this.settings.giveBack()) {
			// sorted by key, because two processes that update the same rows in opposite
			// orders could wait for each other forever
			unissued.sort(Comparator.comparing(Unissued::key));
			giveBack(unissued, start);
		}
	}

	private void giveBack(List<Unissued> unissued, long start) {
		for (int done = 0; done < unissued.size(); done += GIVE_BACK_BATCH) {
			int left = unissued.size() - done;
			if (this.environment.nanoTime().getAsLong() - start > CLOSE_TIMEOUT.toNanos()) {
				logger.warn("Closing took longer than {}: the unused numbers of {} keys were not given back",
						DurationText.of(CLOSE_TIMEOUT), left);
				return;
			}
			List<Unissued> batch = unissued.subList(done, done + Math.min(left, GIVE_BACK_BATCH));
			try {
				Set<String> takenBack = this.store.giveBack(batch);
				batch.stream()
					.filter((numbers) -> takenBack.contains(numbers.key()))
					.forEach((numbers) -> Objects.requireNonNull(this.keys.find(numbers.key())).givenBack(numbers));
				logger.debug("Gave back the unused numbers of {} of {} keys", takenBack.size(), batch.size());
			}
			catch (RuntimeException ex) {
				logger.warn("The unused numbers of {} keys may not have been given back: {}", left, ex.getMessage());
				return;
			}
		}
	}

	/**
	 * The result of a search for keys.
	 *
	 * @param total how many keys match
	 * @param unused matching keys for which no numbers have been requested from the
	 * store: those that come first in the order of the keys, up to the limit
	 */
	public record FoundKeys(int total, List<String> unused) {

	}

}
