// SPDX-License-Identifier: Apache-2.0

package io.leaf.segment;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

import io.leaf.IdGenerator;
import io.leaf.IdSequence;
import io.leaf.Requests;
import io.leaf.segment.SegmentStore.Unissued;
import io.leaf.support.DurationText;
import io.leaf.support.NewKeys;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Issues IDs from segments: blocks of numbers that are taken from a {@link SegmentStore}
 * ahead of use and issued from memory, in ascending order for each key.
 * <p>
 * Safe for use by any number of threads. {@link #start()} must have returned before IDs
 * are asked for; {@link #close()} gives unused numbers back.
 */
public final class SegmentIdGenerator implements IdGenerator, NewKeys, AutoCloseable {

	private static final Logger logger = LoggerFactory.getLogger(SegmentIdGenerator.class);

	/**
	 * For how many acquire timeouts the start goes on if the store cannot be reached. The
	 * first connection of a process that starts on a busy machine may take seconds.
	 */
	private static final int START_PATIENCE = 5;

	/**
	 * How long one attempt to read the rows may take. Stores fail sooner by their own
	 * timeouts.
	 */
	private static final Duration READ_TIMEOUT = Duration.ofSeconds(60);

	/**
	 * How long closing may take in all: for fetches under way, then for giving back.
	 */
	private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(5);

	/**
	 * How many keys give their numbers back in one statement, whose rows it locks.
	 */
	private static final int GIVE_BACK_BATCH = 100;

	private final SegmentStore store;

	private final SegmentSettings settings;

	private final SegmentEnvironment environment;

	private final KeyDirectory keys;

	/**
	 * Creates a generator with threads of its own.
	 * @param store where segments come from
	 * @param settings how to behave
	 */
	public SegmentIdGenerator(SegmentStore store, SegmentSettings settings) {
		this(store, settings, SegmentEnvironment.system());
	}

	SegmentIdGenerator(SegmentStore store, SegmentSettings settings, SegmentEnvironment environment) {
		this.store = store;
		this.settings = settings;
		this.environment = environment;
		this.keys = new KeyDirectory(store, settings, environment);
	}

	/**
	 * Reads the rows of all keys, and from then on at every refresh interval.
	 * @throws SegmentStoreException if {@link SegmentSettings#failFast()} is set and the
	 * rows cannot be read, or segments cannot be allocated: the store refuses, or is
	 * unavailable for five times the acquire timeout. The generator is closed then
	 */
	public void start() {
		try {
			readRows();
		}
		catch (SegmentStoreException ex) {
			if (this.settings.failFast()) {
				this.keys.close();
				this.environment.executor().shutdownNow();
				throw ex;
			}
			logger.warn("Starting without the rows of any key, since leaf.segment.fail-fast=false: {}",
					ex.getMessage());
		}
		if (this.settings.preload()) {
			preload(new ConcurrentLinkedQueue<>(this.keys.all()));
		}
		long interval = this.settings.refreshInterval().toNanos();
		this.environment.executor().scheduleWithFixedDelay(this::refresh, interval, interval, TimeUnit.NANOSECONDS);
	}

	// One key after the other: where ten thousand were queued at once, a caller who needs
	// the last of them would wait for all the others.
	private void preload(Queue<SegmentSequence> left) {
		SegmentSequence sequence = left.poll();
		if (sequence != null) {
			if (sequence.status().current() == null) {
				sequence.preload();
			}
			// where the fetch went, so as to stay behind it
			this.environment.handOff().execute(() -> preload(left));
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
				delay = Backoff.DEFAULT.delay(failures, this.environment.random());
			}
		}
	}

	private void readRowsOnce() {
		this.keys.refresh();
		if (this.settings.failFast()) {
			this.store.checkWritable();
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
			throw new SegmentStoreException("The rows cannot be read: " + ex.getCause(), ex.getCause(), true);
		}
		catch (TimeoutException ex) {
			throw new SegmentStoreException(
					"The rows were not read within %s. See whether the database answers, or set leaf.segment.fail-fast=false to start without it"
						.formatted(DurationText.of(READ_TIMEOUT)),
					ex, true);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new SegmentStoreException("The thread was interrupted while it read the rows", ex, true);
		}
	}

	private void refresh() {
		try {
			this.keys.refresh();
		}
		// a periodic task that throws would never run again
		catch (Throwable ex) {
			logger.warn("Refreshing the keys failed: {}. Next attempt in {}", ex.getMessage(),
					DurationText.of(this.settings.refreshInterval()));
			logger.debug("Reading the rows failed", ex);
		}
	}

	@Override
	public long nextId(String key) {
		return this.keys.known(key).nextId();
	}

	@Override
	public long[] nextIds(String key, int count) {
		Requests.checkCount(count);
		return this.keys.known(key).nextIds(count);
	}

	@Override
	public IdSequence sequence(String key) {
		SegmentSequence sequence = this.keys.find(Requests.checkKey(key));
		return (sequence != null) ? sequence : new DeferredSequence(key, this.keys);
	}

	@Override
	public boolean isNew(String key) {
		return this.keys.isNew(key);
	}

	@Override
	public void startAbove(String key, long largestId) {
		this.keys.startAbove(key, largestId);
	}

	/**
	 * Returns how each key is doing that has a row. Reads memory only.
	 * @return the status by key, in the order of the keys
	 */
	public Map<String, SegmentStatus> status() {
		Map<String, SegmentStatus> status = new TreeMap<>();
		for (SegmentSequence sequence : this.keys.all()) {
			if (sequence.isIssuing()) {
				status.put(sequence.key(), sequence.status());
			}
		}
		return status;
	}

	/**
	 * Returns how a key is doing. Reads memory only.
	 * @param key the key
	 * @return its status, or {@code null} if no row has been seen for it
	 */
	public @Nullable SegmentStatus status(String key) {
		SegmentSequence sequence = this.keys.find(key);
		return (sequence != null && sequence.isIssuing()) ? sequence.status() : null;
	}

	/**
	 * Returns how a key is doing, or how it was doing when it stopped: after its row was
	 * removed, or this generator closed. Reads memory only.
	 * @param key the key
	 * @return its status, or {@code null} if no row has ever been seen for it
	 */
	public @Nullable SegmentStatus lastStatus(String key) {
		SegmentSequence sequence = this.keys.find(key);
		return (sequence != null) ? sequence.status() : null;
	}

	/**
	 * Tells of each key that a row is seen for, once: of those known by now, in their
	 * order, before this method returns, and of others when they come to be known. May
	 * tell of a key twice that comes to be known meanwhile.
	 * @param listener what to tell, on a thread of the library's. It does not block
	 */
	public void onKey(Consumer<String> listener) {
		this.keys.onKey(listener);
	}

	/**
	 * Returns why the rows could not be read, the last time that this was tried.
	 * @return the failure, or {@code null} if they were read
	 */
	public @Nullable Throwable rowsFailure() {
		return this.keys.rowsFailure();
	}

	/**
	 * Stops issuing, and gives the numbers back that were fetched and not issued, of each
	 * key that no process has allocated from since. Takes no longer than a few seconds;
	 * what could not be given back by then is skipped forever, which does no harm. Later
	 * calls have no effect.
	 */
	@Override
	public void close() {
		long start = this.environment.nanoTime().getAsLong();
		this.keys.close();
		this.environment.executor().shutdown();
		try {
			this.environment.executor().awaitTermination(CLOSE_TIMEOUT.toNanos(), TimeUnit.NANOSECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		List<Unissued> unissued = new ArrayList<>();
		for (SegmentSequence sequence : this.keys.all()) {
			Unissued tail = sequence.fence();
			if (tail != null) {
				unissued.add(tail);
			}
		}
		if (this.settings.giveBack()) {
			// in the order of the keys: two processes that update the same rows the other
			// way round could wait for each other
			unissued.sort(Comparator.comparing(Unissued::key));
			giveBack(unissued, start);
		}
	}

	private void giveBack(List<Unissued> unissued, long start) {
		for (int done = 0; done < unissued.size(); done += GIVE_BACK_BATCH) {
			int left = unissued.size() - done;
			if (this.environment.nanoTime().getAsLong() - start > CLOSE_TIMEOUT.toNanos()) {
				logger.warn("Closing took longer than {}: the unused numbers of {} keys are not given back",
						DurationText.of(CLOSE_TIMEOUT), left);
				return;
			}
			List<Unissued> batch = unissued.subList(done, done + Math.min(left, GIVE_BACK_BATCH));
			try {
				Set<String> takenBack = this.store.giveBack(batch);
				batch.stream()
					.filter((numbers) -> takenBack.contains(numbers.key()))
					.forEach((numbers) -> Objects.requireNonNull(this.keys.find(numbers.key())).givenBack(numbers));
				logger.debug("The unused numbers of {} keys of {} were given back", takenBack.size(), batch.size());
			}
			catch (RuntimeException ex) {
				logger.warn("The unused numbers of {} keys may not have been given back: {}", left, ex.getMessage());
				return;
			}
		}
	}

}
