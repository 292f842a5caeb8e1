// SPDX-License-Identifier: Apache-2.0

package io.leaf.segment;

import java.text.Collator;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.stream.Collectors;

import io.leaf.Requests;
import io.leaf.SegmentUnavailableException;
import io.leaf.UnknownKeyException;
import io.leaf.support.DurationText;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which keys there are: the rows as they were read last, and those looked up since.
 */
final class KeyDirectory {

	// A sequence stays here for ever once its row has been seen, removed or not: it knows
	// up to which number its key has been issued.
	//
	// The store is read on the library's threads only, because a caller may be inside a
	// transaction, holding the last connection of a pool.
	//
	// Callers only read the map of sequences: its writers take monitors, and are threads
	// of the library.
	//
	// A caller that does not find its key queues a request, hands a task over to the
	// library's threads, waits until the request ends, and looks again. One task at a
	// time is at work, the one that holds 'reading': it takes the requests for up to
	// BATCH keys, reads the rows of all these keys at once, ends the requests, lets go of
	// 'reading' and looks whether there are more. Other tasks leave what they find to it.
	// So no request is forgotten, even if the caller who queued it is held up or ends
	// with an Error.
	//
	// A key without a row is not remembered: it works as soon as it has one. A flood of
	// them costs one read of BATCH keys each PAUSE, and never more than one thread.
	//
	// Closing sets 'closing' and then ends all requests, those in the queue and those
	// taken from it; a caller queues its request, and a task takes requests, before it
	// looks at 'closing'. So no caller waits for a generator that is closed.
	//
	// Not a CompletableFuture: a thread of a ForkJoinPool that waits for one runs other
	// tasks of its pool meanwhile, in the middle of the caller's transaction.

	private static final Logger logger = LoggerFactory.getLogger(KeyDirectory.class);

	static final int BATCH = 1000;

	static final Duration PAUSE = Duration.ofMillis(100);

	private final SegmentStore store;

	private final SegmentSettings settings;

	private final SegmentEnvironment environment;

	private final ConcurrentHashMap<String, SegmentSequence> sequences = new ConcurrentHashMap<>();

	/**
	 * The largest ID that the table of an entity holds, by key, until its row is there.
	 * Not a ConcurrentHashMap, which takes monitors, since callers write to it.
	 */
	private final ConcurrentSkipListMap<String, Long> existingIds = new ConcurrentSkipListMap<>();

	private final List<Consumer<String>> listeners = new CopyOnWriteArrayList<>();

	private volatile @Nullable Throwable rowsFailure = new SegmentStoreException("The rows have not been read yet",
			null, true);

	private final Queue<LookUp> queue = new ConcurrentLinkedQueue<>();

	private final AtomicBoolean reading = new AtomicBoolean();

	private volatile List<LookUp> taken = List.of();

	private volatile @Nullable Throwable closing;

	// written while 'reading' is held
	private long notBefore;

	KeyDirectory(SegmentStore store, SegmentSettings settings, SegmentEnvironment environment) {
		this.store = store;
		this.settings = settings;
		this.environment = environment;
		this.notBefore = environment.nanoTime().getAsLong();
	}

	/**
	 * Returns the sequence of a key if its row has been seen, be it removed by now.
	 */
	@Nullable SegmentSequence find(String key) {
		return this.sequences.get(key);
	}

	/**
	 * Returns the sequence of a key, which is looked up if its row has not been seen.
	 */
	SegmentSequence known(@Nullable String key) {
		SegmentSequence sequence = (key != null) ? this.sequences.get(key) : null;
		return (sequence != null) ? sequence : lookUp(Requests.checkKey(key));
	}

	/**
	 * Closes every sequence, those included that a look-up or refresh under way is about
	 * to add, and ends the look-ups.
	 */
	void close() {
		Throwable closing = new RejectedExecutionException("the generator is closed, the application is shutting down");
		this.closing = closing;
		this.sequences.values().forEach(SegmentSequence::close);
		end(this.taken, closing);
		endAll(closing);
	}

	Collection<SegmentSequence> all() {
		return this.sequences.values();
	}

	/**
	 * Tells of each key that is known, and of others when they come to be known.
	 */
	void onKey(Consumer<String> listener) {
		this.listeners.add(listener);
		this.sequences.values().stream().map(SegmentSequence::key).sorted().forEach(listener);
	}

	/**
	 * Returns why the last refresh failed, or {@code null} if it did not.
	 */
	@Nullable Throwable rowsFailure() {
		return this.rowsFailure;
	}

	/**
	 * Reads all rows: keys without a row stop, new ones start. A key stops only if its
	 * row is missing once more when it is read by itself: the rows may come from a
	 * replica that lags.
	 */
	void refresh() {
		try {
			// Keys that come to be known while the rows are read need not be among them.
			Set<String> missing = this.sequences.values()
				.stream()
				.filter(SegmentSequence::isIssuing)
				.map(SegmentSequence::key)
				.collect(Collectors.toCollection(LinkedHashSet::new));
			seen(this.store.findAll(), missing);
			if (!missing.isEmpty()) {
				seen(this.store.find(missing), missing);
			}
			for (String key : missing) {
				logger.info("The row of key '{}' was removed: no more IDs for it", key);
				Objects.requireNonNull(this.sequences.get(key)).rowRemoved();
			}
			this.rowsFailure = null;
		}
		catch (Throwable ex) {
			this.rowsFailure = ex;
			throw ex;
		}
	}

	private void seen(Collection<SegmentRow> rows, Set<String> missing) {
		for (SegmentRow row : rows) {
			if (Requests.isKey(row.key())) {
				missing.remove(row.key());
				seen(row);
			}
		}
	}

	private void seen(SegmentRow row) {
		SegmentSequence known = this.sequences.get(row.key());
		SegmentSequence sequence = (known != null) ? known
				: this.sequences.computeIfAbsent(row.key(), (key) -> SegmentSequence.create(key, this.store,
						this.settings, this.environment, (removed) -> lookUp(removed.key())));
		sequence.rowSeen(row);
		if (this.closing != null) {
			sequence.close();
		}
		if (known == null) {
			this.existingIds.remove(row.key());
			tell(row.key());
		}
	}

	private void tell(String key) {
		for (Consumer<String> listener : this.listeners) {
			try {
				listener.accept(key);
			}
			// whoever listens must not keep a key from being known
			catch (RuntimeException ex) {
				logger.warn("Key '{}' is known now, and a listener failed", key, ex);
			}
		}
	}

	/**
	 * Looks a key up whose row has not been seen, or has been removed.
	 * @return its sequence
	 * @throws UnknownKeyException if there is no row
	 * @throws SegmentUnavailableException if the store does not say
	 */
	SegmentSequence lookUp(String key) {
		LookUp lookUp = new LookUp(key);
		this.queue.add(lookUp);
		Throwable failure = (this.closing != null) ? this.closing : await(lookUp);
		if (failure != null) {
			lookUp.abandoned = true;
			throw new SegmentUnavailableException(key,
					"Key '%s' is not known yet and could not be looked up: %s".formatted(key, failure.getMessage()),
					failure);
		}
		SegmentSequence sequence = this.sequences.get(key);
		if (sequence == null || sequence.isRemoved()) {
			throw unknown(key, lookUp.equated);
		}
		return sequence;
	}

	/**
	 * Returns whether the row of a key is to be added above the IDs that exist.
	 */
	boolean isNew(String key) {
		return this.settings.aboveExistingIds() && this.settings.autoCreateStep() > 0 && find(key) == null;
	}

	void startAbove(String key, long largestId) {
		this.existingIds.merge(key, largestId, Math::max);
	}

	private long start(String key) {
		long largest = Math.min(this.existingIds.getOrDefault(key, 0L), SegmentStore.MAX_END);
		return Math.max(this.settings.startFrom().getOrDefault(key, 1L), largest + 1);
	}

	private UnknownKeyException unknown(String key, @Nullable String equated) {
		if (equated != null) {
			return new UnknownKeyException(key,
					"There is no row for key '%s', and it cannot have one: the collation of column biz_tag equates it with the row of key '%s'. Use '%s' as the key; or, to tell keys apart by letter case and accents, give the column a binary collation, such as utf8mb4_bin"
						.formatted(key, equated, equated));
		}
		String advice = (this.settings.autoCreateStep() > 0)
				? "It was removed while this process was running, or the database cannot store the key: leaf.segment.auto-create does not add it"
				: "Add one to the table (biz_tag = '%s', max_id = 1, step = 1000), or set leaf.segment.auto-create.enabled=true"
					.formatted(key);
		return new UnknownKeyException(key, "There is no row for key '%s'. %s".formatted(key, advice));
	}

	// returns why the store has not been read for it
	private @Nullable Throwable await(LookUp lookUp) {
		Duration timeout = this.settings.acquireTimeout();
		try {
			this.environment.handOff().execute(this::begin);
			return this.environment.waits().await(lookUp, timeout.toNanos()) ? lookUp.failure
					: new TimeoutException("the store has not answered within %s (leaf.segment.acquire-timeout)"
						.formatted(DurationText.of(timeout)));
		}
		catch (RejectedExecutionException ex) {
			return ex;
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return new InterruptedException("the thread was interrupted");
		}
	}

	// a key whose row was found is known, whatever happened to the others
	private void end(List<LookUp> lookUps, @Nullable Throwable failure) {
		for (LookUp lookUp : lookUps) {
			lookUp.failure = isIssuing(lookUp.key) ? null : failure;
			lookUp.countDown();
		}
	}

	private void endAll(Throwable failure) {
		for (LookUp next = this.queue.poll(); next != null; next = this.queue.poll()) {
			end(List.of(next), failure);
		}
	}

	// those that nobody waits for any more are left out: a flood must not be answered too
	// late for ever
	private void take(List<LookUp> lookUps) {
		Set<String> keys = new HashSet<>();
		for (LookUp next = null; keys.size() < BATCH && (next = this.queue.poll()) != null;) {
			if (!next.abandoned) {
				lookUps.add(next);
				keys.add(next.key);
			}
		}
	}

	private boolean isIssuing(String key) {
		SegmentSequence sequence = this.sequences.get(key);
		return sequence != null && sequence.isIssuing();
	}

	private void begin() {
		if (!this.queue.isEmpty() && this.reading.compareAndSet(false, true)) {
			try {
				long pause = this.notBefore - this.environment.nanoTime().getAsLong();
				this.environment.executor().schedule(this::readNext, Math.max(0, pause), TimeUnit.NANOSECONDS);
			}
			// closed, or out of memory: no caller may wait for a task that does not exist
			catch (Throwable ex) {
				this.reading.set(false);
				endAll(ex);
			}
		}
	}

	private void readNext() {
		List<LookUp> lookUps = List.of();
		Throwable failure;
		try {
			lookUps = new ArrayList<>();
			take(lookUps);
			this.taken = lookUps;
			failure = this.closing;
			long now = this.environment.nanoTime().getAsLong();
			this.notBefore = now + PAUSE.toNanos();
			if (failure == null && (lookUps.isEmpty() || read(lookUps))) {
				this.notBefore = now;
			}
		}
		// an Error, too, must not leave the callers waiting
		catch (Throwable ex) {
			failure = ex;
		}
		// closing has ended these requests already, and must not be taken back
		end(lookUps, (failure != null) ? failure : this.closing);
		this.taken = List.of();
		this.reading.set(false);
		begin();
	}

	private boolean read(List<LookUp> lookUps) {
		Set<String> keys = lookUps.stream().map((lookUp) -> lookUp.key).collect(Collectors.toSet());
		Set<String> missing = new LinkedHashSet<>(keys);
		List<SegmentRow> found = this.store.find(keys);
		seen(found, missing);
		// a removed row would count from 1 again, below what other processes have issued
		List<String> added = (this.settings.autoCreateStep() > 0)
				? missing.stream().filter((key) -> !this.sequences.containsKey(key)).toList() : List.of();
		if (!added.isEmpty()) {
			// a caller whose row was found does not wait until rows of other keys are
			// added
			lookUps.stream().filter((lookUp) -> isIssuing(lookUp.key)).forEach(CountDownLatch::countDown);
			added.forEach((key) -> this.store.create(key, this.settings.autoCreateStep(), start(key)));
			List<SegmentRow> rows = this.store.find(added);
			rows.forEach((row) -> logger.info("Key '{}' had no row and has one now: max_id {}, step {}", row.key(),
					row.maxId(), row.step()));
			seen(rows, missing);
		}
		for (LookUp lookUp : lookUps) {
			lookUp.equated = missing.contains(lookUp.key) ? equated(lookUp.key, keys, found) : null;
		}
		return missing.isEmpty();
	}

	// Only for the message: what a database equates, it has found for the keys, and this
	// comparison finds out for which of them.
	private static @Nullable String equated(String key, Set<String> keys, List<SegmentRow> found) {
		Collator collator = Collator.getInstance(Locale.ROOT);
		collator.setStrength(Collator.PRIMARY);
		collator.setDecomposition(Collator.CANONICAL_DECOMPOSITION);
		return found.stream()
			.map(SegmentRow::key)
			.filter((other) -> !keys.contains(other)
					&& collator.compare(other.stripTrailing(), key.stripTrailing()) == 0)
			.findFirst()
			.orElse(null);
	}

	/**
	 * A key that a caller waits for.
	 */
	private static final class LookUp extends CountDownLatch {

		private final String key;

		private volatile @Nullable Throwable failure;

		private volatile @Nullable String equated;

		private volatile boolean abandoned;

		LookUp(String key) {
			super(1);
			this.key = key;
		}

	}

}
