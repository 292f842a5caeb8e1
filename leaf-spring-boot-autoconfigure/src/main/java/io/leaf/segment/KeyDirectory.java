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
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Collectors;

import io.leaf.SegmentUnavailableException;
import io.leaf.UnknownKeyException;
import io.leaf.support.IdArguments;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The keys that have a row: those whose rows were read last, and those looked up since.
 */
final class KeyDirectory {

	// A sequence stays here forever once its row has been seen, even if the row is
	// removed: it knows up to which number its key has been issued.
	//
	// The store is read on the library's threads only, because a caller may be inside a
	// transaction and hold the last connection of a pool. Callers only read the map of
	// sequences: writing to a ConcurrentHashMap takes monitors, and is left to threads of
	// the library.
	//
	// A caller that does not find its key adds a request to the queue, hands a task over
	// to the library's threads, waits until the request ends, and looks again. One task
	// at a time is at work, the one that holds 'reading': it takes the requests for up to
	// BATCH keys from the head of the queue, reads the rows of all these keys at once,
	// removes and ends the requests, releases 'reading', and checks whether there are
	// more. Other tasks leave their requests to it. So no request is forgotten, even if
	// the caller that added it is suspended or ends with an Error.
	//
	// A key without a row is not remembered: it works as soon as it has one. However many
	// such keys are asked for, the store is read once per PAUSE, for BATCH keys, and
	// never by more than one thread.
	//
	// Closing sets 'closing' and then ends all requests in the queue; a caller adds its
	// request before it reads 'closing'. So no caller waits for a generator that is
	// closed.
	//
	// A request is not a CompletableFuture: a thread of a ForkJoinPool that waits for one
	// runs other tasks of its pool meanwhile, in the middle of the caller's transaction.

	private static final Logger logger = LoggerFactory.getLogger(KeyDirectory.class);

	static final int BATCH = 1000;

	static final Duration PAUSE = Duration.ofMillis(100);

	private final SegmentStore store;

	private final SegmentSettings settings;

	private final SegmentEnvironment environment;

	private final ConcurrentHashMap<String, KeySequence> sequences = new ConcurrentHashMap<>();

	/**
	 * By key: the largest ID in the entity's table, kept until the row of the key has
	 * been seen. Not a ConcurrentHashMap: callers write to it, and writes to a
	 * ConcurrentHashMap take monitors.
	 */
	private final ConcurrentSkipListMap<String, Long> existingIds = new ConcurrentSkipListMap<>();

	/**
	 * The sequences for which numbers have been requested from the store, by key: reports
	 * look at these only. Callers write to it, as to the map above.
	 */
	private final ConcurrentSkipListMap<String, KeySequence> used = new ConcurrentSkipListMap<>();

	private final AtomicInteger removed = new AtomicInteger();

	private final List<Consumer<String>> listeners = new CopyOnWriteArrayList<>();

	private final Queue<LookUp> queue = new ConcurrentLinkedQueue<>();

	private final AtomicBoolean reading = new AtomicBoolean();

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
	 * Returns the sequence of a key if its row has been seen, even if it is removed now.
	 */
	@Nullable KeySequence find(String key) {
		return this.sequences.get(key);
	}

	/**
	 * Returns the sequence of a key, which is looked up if its row has not been seen.
	 */
	KeySequence known(@Nullable String key) {
		KeySequence sequence = (key != null) ? this.sequences.get(key) : null;
		return (sequence != null) ? sequence : lookUp(IdArguments.checkKey(key));
	}

	/**
	 * Closes every sequence, including those that a look-up or refresh under way is about
	 * to add, and ends the look-ups.
	 */
	void close() {
		Throwable closing = new RejectedExecutionException("the generator is closed, the application is shutting down");
		this.closing = closing;
		this.sequences.values().forEach(KeySequence::close);
		this.queue.forEach((lookUp) -> lookUp.end(closing));
	}

	Collection<KeySequence> all() {
		return this.sequences.values();
	}

	/**
	 * Returns the sequences for which numbers have been requested, in the order of their
	 * keys.
	 */
	Collection<KeySequence> used() {
		return this.used.values();
	}

	/**
	 * Returns how many keys have a row; none if this directory is closed.
	 */
	int count() {
		return (this.closing != null) ? 0 : this.sequences.size() - this.removed.get();
	}

	/**
	 * Records that numbers of a key are requested from the store.
	 */
	void requested(KeySequence sequence) {
		this.used.put(sequence.key(), sequence);
	}

	/**
	 * Records that the rows of so many keys were removed, or are there again if negative.
	 */
	void rowsRemoved(int number) {
		this.removed.addAndGet(number);
	}

	/**
	 * Checks that the rows of keys with periods are those of such keys.
	 * @throws SegmentStoreException if a row is not
	 */
	void checkPeriods() {
		for (KeySequence sequence : this.sequences.values()) {
			PeriodAllocator periods = sequence.allocator().periods();
			if (periods != null) {
				periods.check(KeyAllocator.SLOW_TIMEOUT);
			}
		}
	}

	/**
	 * Notifies a listener of each key that is known, and of each that becomes known.
	 */
	void onKey(Consumer<String> listener) {
		this.listeners.add(listener);
		this.sequences.values().stream().map(KeySequence::key).sorted().forEach(listener);
	}

	/**
	 * Reads all rows: keys without a row stop, new ones start. A key stops only if its
	 * row is missing again when it is read by itself: the rows may come from a replica
	 * that lags behind.
	 */
	void refresh() {
		// keys that become known while the rows are read need not be among them
		Set<String> missing = this.sequences.values()
			.stream()
			.filter(KeySequence::isIssuing)
			.map(KeySequence::key)
			.collect(Collectors.toCollection(LinkedHashSet::new));
		seen(this.store.findAll(), missing);
		if (!missing.isEmpty()) {
			seen(this.store.find(missing), missing);
		}
		for (String key : missing) {
			logger.info("The row of key '{}' was removed: no more IDs of this key are issued", key);
			Objects.requireNonNull(this.sequences.get(key)).rowRemoved();
		}
	}

	private void seen(Collection<SegmentRow> rows, Set<String> missing) {
		for (SegmentRow row : rows) {
			if (IdArguments.isKey(row.key())) {
				missing.remove(row.key());
				seen(row);
			}
		}
	}

	private void seen(SegmentRow row) {
		boolean known = this.sequences.containsKey(row.key());
		KeySequence sequence = this.sequences.computeIfAbsent(row.key(),
				(key) -> KeySequence.create(key, this.store, this.settings, this.environment, this));
		sequence.rowSeen(row);
		if (this.closing != null) {
			sequence.close();
		}
		if (!known) {
			this.existingIds.remove(row.key());
			this.listeners.forEach((listener) -> notify(listener, row.key()));
		}
	}

	private static void notify(Consumer<String> listener, String key) {
		try {
			listener.accept(key);
		}
		// a listener that fails must not keep a key from becoming known
		catch (RuntimeException ex) {
			logger.warn("A listener failed when it was notified of the new key '{}'", key, ex);
		}
	}

	/**
	 * Looks up a key whose row has not been seen, or has been removed.
	 * @return its sequence
	 * @throws UnknownKeyException if there is no row
	 * @throws SegmentUnavailableException if the store does not answer
	 */
	KeySequence lookUp(String key) {
		LookUp lookUp = request(key);
		Duration timeout = this.settings.acquireTimeout();
		return result(lookUp, lookUp.isOpen() ? null : this.environment.await(lookUp, timeout.toNanos(), timeout));
	}

	/**
	 * Requests that a key is looked up.
	 */
	LookUp request(String key) {
		LookUp lookUp = new LookUp(key);
		this.queue.add(lookUp);
		Throwable closing = this.closing;
		if (closing != null) {
			this.queue.remove(lookUp);
			lookUp.end(closing);
			return lookUp;
		}
		try {
			this.environment.executor().execute(this::begin);
		}
		catch (RejectedExecutionException ex) {
			lookUp.end(ex);
		}
		return lookUp;
	}

	/**
	 * Returns the sequence of a key that was looked up.
	 * @param unanswered why the look-up has not ended, or {@code null} if it has
	 * @throws UnknownKeyException if there is no row
	 * @throws SegmentUnavailableException if the store does not answer
	 */
	KeySequence result(LookUp lookUp, @Nullable Throwable unanswered) {
		String key = lookUp.key;
		KeySequence sequence = this.sequences.get(key);
		if (sequence != null && !sequence.isRemoved()) {
			return sequence;
		}
		Throwable failure = (unanswered != null) ? unanswered : lookUp.failure;
		if (failure == null) {
			throw unknown(key, lookUp.equated);
		}
		lookUp.countDown();
		throw new SegmentUnavailableException(key,
				"Key '%s' is not known yet and could not be looked up: %s".formatted(key, failure.getMessage()),
				failure);
	}

	/**
	 * Issues a number of a key that may not be known, without waiting.
	 */
	CompletionStage<Long> nextIdAsync(String key) {
		return new KeyCall(key, this, this.environment, this.settings).begin();
	}

	/**
	 * Returns whether the row of a key is to be added above the IDs that exist.
	 */
	boolean isNew(String key) {
		return this.settings.aboveExistingIds() && this.settings.createsRow(key) && find(key) == null;
	}

	void startAbove(String key, long largestId) {
		this.existingIds.merge(key, largestId, Math::max);
	}

	private UnknownKeyException unknown(String key, @Nullable String equated) {
		String advice;
		if (equated != null) {
			advice = ", and it cannot have one: the collation of column biz_tag treats it as equal to the existing key '%1$s'. Use '%1$s' as the key; or, to distinguish keys by letter case and accents, give the column a binary collation, such as utf8mb4_bin"
				.formatted(equated);
		}
		else if (this.settings.createsRow(key)) {
			advice = ". It was removed while this process was running, or the database cannot store the key: leaf.segment.auto-create does not add it. If it was removed by mistake, add it again with max_id set to the smallest number that has not been issued yet; otherwise use another key";
		}
		else {
			advice = ". Add one to the table (biz_tag = '%s', max_id = 1, step = 1000), or %s".formatted(key,
					(this.settings.autoCreateStep() > 0)
							? "add a pattern that matches the key to leaf.segment.auto-create.keys, which is "
									+ String.join(", ", this.settings.autoCreateKeys().patterns())
							: "set leaf.segment.auto-create.enabled=true");
		}
		return new UnknownKeyException(key, "There is no row for key '%s'%s".formatted(key, advice));
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
				this.queue.forEach((lookUp) -> lookUp.end(ex));
			}
		}
	}

	private void readNext() {
		List<LookUp> lookUps = List.of();
		Throwable failure = this.closing;
		boolean complete = false;
		long now = this.environment.nanoTime().getAsLong();
		try {
			lookUps = new ArrayList<>();
			Set<String> keys = take(lookUps);
			complete = keys.isEmpty() || (failure == null && read(keys, lookUps));
		}
		// not even an Error may leave the callers waiting
		catch (Throwable ex) {
			failure = ex;
		}
		try {
			this.notBefore = complete ? now : now + PAUSE.toNanos();
			for (LookUp lookUp : lookUps) {
				this.queue.remove(lookUp);
				// if closing has ended it already, that must not be undone
				lookUp.end((failure != null) ? failure : this.closing);
			}
		}
		finally {
			this.reading.set(false);
			begin();
		}
	}

	// Returns the keys to read next, and adds their look-ups to the list. A look-up whose
	// callers have given up is only added: if its key were read as well, many such keys
	// could delay every answer until the callers that wait for it have given up.
	private Set<String> take(List<LookUp> lookUps) {
		Set<String> keys = new HashSet<>();
		for (LookUp next : this.queue) {
			if (keys.size() == BATCH) {
				break;
			}
			lookUps.add(next);
			if (next.getCount() > 0) {
				keys.add(next.key);
			}
		}
		return keys;
	}

	private boolean read(Set<String> keys, List<LookUp> lookUps) {
		Set<String> missing = new LinkedHashSet<>(keys);
		List<SegmentRow> found = this.store.find(keys);
		seen(found, missing);
		// a removed row would start at 1 again, below what other processes have issued
		List<String> added = missing.stream()
			.filter((key) -> this.settings.createsRow(key) && !this.sequences.containsKey(key))
			.toList();
		if (!added.isEmpty()) {
			// callers whose rows were found do not wait until rows of other keys are
			// added
			lookUps.stream().filter((lookUp) -> !missing.contains(lookUp.key)).forEach(CountDownLatch::countDown);
			added.forEach(this::create);
			List<SegmentRow> rows = this.store.find(added);
			rows.forEach((row) -> logger.info("Added a row for key '{}': max_id {}, step {}", row.key(), row.maxId(),
					row.step()));
			seen(rows, missing);
		}
		for (LookUp lookUp : lookUps) {
			lookUp.equated = missing.contains(lookUp.key) ? equated(lookUp.key, keys, found) : null;
		}
		return missing.isEmpty();
	}

	private void create(String key) {
		long largest = Math.min(this.existingIds.getOrDefault(key, 0L), SegmentStore.MAX_END);
		KeySettings settings = this.settings.key(key);
		KeyPeriod period = settings.period();
		// with periods not 1: the row's counter stays within a period even if
		// leaf.segment.failover-gap raises it before the first allocation
		long smallest = (period != null) ? period.firstId() : settings.startFrom();
		long start = Math.max(smallest, largest + 1);
		this.store.create(key, this.settings.autoCreateStep(), start);
	}

	// Only for the message: the database has found a row that it equates with one of the
	// keys, and this comparison finds out with which.
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
	 * A caller's request for a key. Its latch is open if it has ended, or if the caller
	 * has given up.
	 */
	static final class LookUp extends Latch {

		private final String key;

		private volatile @Nullable Throwable failure;

		private volatile @Nullable String equated;

		LookUp(String key) {
			this.key = key;
		}

		void end(@Nullable Throwable failure) {
			this.failure = failure;
			countDown();
		}

	}

}
