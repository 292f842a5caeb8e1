// SPDX-License-Identifier: Apache-2.0

package io.leaf.segment;

import java.text.Collator;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
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
import io.leaf.support.FailureText;
import io.leaf.support.IdArguments;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The keys whose rows this process has seen, that is, read in a refresh or in a look-up,
 * and the sequences of these keys.
 */
final class KeyDirectory {

	// A sequence stays here forever once its row has been seen, even if the row is
	// removed, because the sequence remembers the end of the numbers that this process
	// has been allocated.
	//
	// The store is read on the library's threads only, because a caller may be inside a
	// transaction and hold the last connection of a pool. Callers only read the map of
	// sequences. Only the library's threads write to it, because writes to a
	// ConcurrentHashMap take monitors, and a caller that is suspended while it holds a
	// monitor would block other callers.
	//
	// A caller that does not find its key adds a request to the queue, hands a task over
	// to the library's threads, waits until the request ends, and looks for its key
	// again. Only the task that has set 'reading' to true goes on. This task collects the
	// requests for up to BATCH keys from the head of the queue, reads the rows of all
	// these keys at once, removes and ends the requests, resets 'reading', and checks
	// whether there are more requests. All other tasks leave their requests to this task.
	// So no request is forgotten, even if the caller that added it is suspended or ends
	// with an Error.
	//
	// Keys without a row are not remembered, so that IDs of such a key can be issued as
	// soon as it has a row. However many keys without a row are requested, their look-ups
	// read the store at most once per PAUSE, for up to BATCH keys, and on one thread at a
	// time. A key whose row is to be added, or cannot be added, costs an INSERT and
	// another query, without a pause.
	//
	// The task that reads adds no rows, because another transaction can block this for
	// seconds. It moves the requests for a key whose row is to be added from the queue to
	// 'adding', which has one entry per key. Each entry has a task of its own, which adds
	// and reads the row, and removes the entry before it ends the requests; later
	// requests for the key join the entry. These tasks run one at a time, so that blocked
	// tasks occupy only one thread and one connection. Other new keys may have to wait
	// for a blocked task; other keys do not, unless a slow fetch is blocked as well and
	// occupies the other thread.
	//
	// close() sets 'closing' before it ends all requests, first in the queue and then in
	// 'adding', and a caller adds its request before it reads 'closing'. A request is
	// added to 'adding' before it is removed from the queue. So no caller waits for a
	// closed generator, except one that joins an entry while the entry is dropped because
	// all its callers have given up. It waits until the row has been added.
	//
	// A request is not a CompletableFuture, because a thread of a ForkJoinPool that waits
	// for a CompletableFuture meanwhile runs other tasks of the pool, in the middle of
	// the caller's transaction.

	private static final Logger logger = LoggerFactory.getLogger(KeyDirectory.class);

	static final int BATCH = 1000;

	static final Duration PAUSE = Duration.ofMillis(100);

	private final SegmentStore store;

	private final SegmentSettings settings;

	private final SegmentEnvironment environment;

	private final ConcurrentHashMap<String, KeySequence> sequences = new ConcurrentHashMap<>();

	/**
	 * The IDs that were passed to {@link #startAbove}, by key: the largest ID in the
	 * table of the key's entity. An entry is removed when the row of its key is first
	 * seen. This is not a ConcurrentHashMap, because callers write to it, and writes to a
	 * ConcurrentHashMap take monitors.
	 */
	private final ConcurrentSkipListMap<String, Long> existingIds = new ConcurrentSkipListMap<>();

	/**
	 * The sequences for which numbers have been requested from the store, by key.
	 * {@link SegmentIdGenerator#usedStatus()} reports only these. This is not a
	 * ConcurrentHashMap, because callers write to it, and writes to a ConcurrentHashMap
	 * take monitors.
	 */
	private final ConcurrentSkipListMap<String, KeySequence> used = new ConcurrentSkipListMap<>();

	private final AtomicInteger removed = new AtomicInteger();

	private final List<Consumer<String>> listeners = new CopyOnWriteArrayList<>();

	private final Queue<LookUp> queue = new ConcurrentLinkedQueue<>();

	private final AtomicBoolean reading = new AtomicBoolean();

	/**
	 * The requests for keys whose rows are being added, by key.
	 */
	private final ConcurrentSkipListMap<String, Queue<LookUp>> adding = new ConcurrentSkipListMap<>();

	private final SerialTasks additions;

	private volatile @Nullable Throwable closing;

	// written by the task that reads and by those that add rows. If two of them write at
	// the same time, either pause is long enough
	private volatile long notBefore;

	KeyDirectory(SegmentStore store, SegmentSettings settings, SegmentEnvironment environment) {
		this.store = store;
		this.settings = settings;
		this.environment = environment;
		this.additions = new SerialTasks(environment.executor());
		this.notBefore = environment.nanoTime().getAsLong();
	}

	/**
	 * Returns the sequence of a key if its row has been seen, even if the row has been
	 * removed since; otherwise {@code null}.
	 */
	@Nullable KeySequence find(String key) {
		return this.sequences.get(key);
	}

	/**
	 * Returns the sequence of a key. If the row of the key has not been seen, calls
	 * {@link #lookUp}.
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
		this.adding.values().forEach((lookUps) -> lookUps.forEach((lookUp) -> lookUp.end(closing)));
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
	 * Returns how many keys have a row, or 0 if this directory is closed.
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
	 * Records that the rows of keys were removed, or that removed rows have been added
	 * again.
	 * @param number how many rows were removed; negative if rows have been added again
	 */
	void rowsRemoved(int number) {
		this.removed.addAndGet(number);
	}

	/**
	 * Checks that the counter of each key with periods fits the periods that are set for
	 * the key.
	 * @throws SegmentStoreException if a counter does not fit, or if the store cannot be
	 * reached
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
	 * Notifies a listener of each key whose row has been seen, and of each further key
	 * when its row is first seen.
	 */
	void onKey(Consumer<String> listener) {
		this.listeners.add(listener);
		this.sequences.values().stream().map(KeySequence::key).sorted().forEach(listener);
	}

	/**
	 * Reads all rows. Begins to issue IDs of keys that have a new row, and stops issuing
	 * IDs of keys whose row is missing. Before this method treats a row as missing, it
	 * asks the store for the row by key, because the query for all rows may have been
	 * answered by a replica that lags behind.
	 */
	void refresh() {
		// collected before the rows are read, because a row that is first seen in the
		// meantime might be absent from the rows that are read, and must not be taken for
		// a removed row
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
		KeySequence sequence = this.sequences.get(row.key());
		boolean first = false;
		if (sequence == null) {
			KeySequence created = KeySequence.create(row.key(), this.store, this.settings, this.environment, this);
			sequence = Objects.requireNonNullElse(this.sequences.putIfAbsent(row.key(), created), created);
			// false if another task has seen the row at the same time
			first = sequence == created;
		}
		sequence.rowSeen(row);
		if (this.closing != null) {
			sequence.close();
		}
		if (first) {
			this.existingIds.remove(row.key());
			this.listeners.forEach((listener) -> notify(listener, row.key()));
		}
	}

	private static void notify(Consumer<String> listener, String key) {
		try {
			listener.accept(key);
		}
		// the key becomes known even if a listener fails
		catch (RuntimeException ex) {
			logger.warn("A listener failed when it was notified of the new key '{}'", key, ex);
		}
	}

	/**
	 * Looks up a key whose row has not been seen, or has been removed. Waits for the
	 * result, at most as long as the acquire timeout.
	 * @return the sequence of the key
	 * @throws UnknownKeyException if there is no row
	 * @throws SegmentUnavailableException if the store fails or does not answer in time,
	 * or if the generator is closed
	 */
	KeySequence lookUp(String key) {
		LookUp lookUp = request(key);
		Duration timeout = this.settings.acquireTimeout();
		return result(lookUp, lookUp.isOpen() ? null : this.environment.await(lookUp, timeout.toNanos(), timeout));
	}

	/**
	 * Requests the look-up of a key. Does not wait.
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
			end(lookUp, ex);
		}
		return lookUp;
	}

	/**
	 * Returns the result of a look-up, which is the sequence of the key.
	 * @param unanswered why the look-up has not ended, or {@code null} if it has ended
	 * @throws UnknownKeyException if there is no row
	 * @throws SegmentUnavailableException if the store fails or does not answer in time,
	 * or if the generator is closed
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
				"Key '%s' could not be looked up: %s".formatted(key, FailureText.of(failure)), failure);
	}

	/**
	 * Issues a number of a key whose row may not have been seen. The caller does not
	 * wait.
	 */
	CompletionStage<Long> nextIdAsync(String key) {
		return new KeyCall(key, this, this.environment, this.settings).begin();
	}

	/**
	 * Returns whether a request for an ID of a key would probably add the row of the key,
	 * and whether the row's counter must then start above the IDs in the table of the
	 * key's entity. Another process may already have added the row.
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
			advice = ", and this key cannot have one, because the collation of column biz_tag treats it as equal to the existing key '%1$s'. Use '%1$s' as the key. Or, to distinguish keys by letter case and accents, give the column a binary collation, such as utf8mb4_bin"
				.formatted(equated);
		}
		else if (this.settings.createsRow(key)) {
			advice = ". The row was removed while this process was running, or the database cannot store the key. In both cases, leaf.segment.auto-create does not add a row. If the row was removed by mistake, add it again with max_id set to the smallest number that has not been issued yet. Otherwise, use another key";
		}
		else {
			advice = ". Add one to the table (biz_tag = '%s', max_id = 1, step = 1000), or %s".formatted(key,
					(this.settings.autoCreateStep() > 0)
							? "add a pattern that matches the key to leaf.segment.auto-create.keys (now: %s)"
								.formatted(String.join(", ", this.settings.autoCreateKeys().patterns()))
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
			// the generator is closed, or memory is exhausted. All requests end, because
			// no task will read their rows
			catch (Throwable ex) {
				this.reading.set(false);
				this.queue.forEach((lookUp) -> end(lookUp, ex));
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
		// the look-ups end after any throwable, even an Error, so that no caller waits in
		// vain
		catch (Throwable ex) {
			failure = ex;
		}
		try {
			if (!complete) {
				this.notBefore = now + PAUSE.toNanos();
			}
			for (LookUp lookUp : lookUps) {
				this.queue.remove(lookUp);
				end(lookUp, failure);
			}
		}
		finally {
			this.reading.set(false);
			begin();
		}
	}

	private void end(LookUp lookUp, @Nullable Throwable failure) {
		// If this directory is closed, close() may already have ended the look-up with
		// 'closing' as the failure. Ending it with null now would report that there is no
		// row, and ending it with the rejection of a task would not say why
		Throwable closing = this.closing;
		lookUp.end((closing != null) ? closing : failure);
	}

	// Returns the keys to read next, and adds their look-ups to the list. If the caller
	// of a look-up has given up, the look-up is added, but its key is not read. If such
	// keys were read, they could delay the answers for so long that the callers that
	// still wait give up as well. Keys whose rows are being added are not read either.
	private Set<String> take(List<LookUp> lookUps) {
		Set<String> keys = new HashSet<>();
		for (LookUp next : this.queue) {
			if (keys.size() == BATCH) {
				break;
			}
			if (next.getCount() > 0) {
				if (join(next)) {
					this.queue.remove(next);
					continue;
				}
				keys.add(next.key);
			}
			lookUps.add(next);
		}
		return keys;
	}

	private boolean read(Set<String> keys, List<LookUp> lookUps) {
		Set<String> missing = new LinkedHashSet<>(keys);
		List<SegmentRow> found = this.store.find(keys);
		seen(found, missing);
		Map<String, Queue<LookUp>> added = new LinkedHashMap<>();
		lookUps.stream()
			.filter((lookUp) -> missing.contains(lookUp.key) && isAddable(lookUp.key))
			.forEach((lookUp) -> added.computeIfAbsent(lookUp.key, (key) -> new ConcurrentLinkedQueue<>()).add(lookUp));
		lookUps.removeIf((lookUp) -> added.containsKey(lookUp.key));
		missing.removeAll(added.keySet());
		added.forEach(this::handOver);
		for (LookUp lookUp : lookUps) {
			lookUp.equated = missing.contains(lookUp.key) ? equated(lookUp.key, keys, found) : null;
		}
		return missing.isEmpty();
	}

	// If the row of a known key was removed, no row is added, because the counter of the
	// new row could start below numbers that other processes have issued.
	private boolean isAddable(String key) {
		return this.settings.createsRow(key) && !this.sequences.containsKey(key);
	}

	// Returns whether the task that adds the row of the key will end the look-up. If the
	// task has removed the entry in the meantime, it may or may not end the look-up.
	private boolean join(LookUp lookUp) {
		Queue<LookUp> joined = this.adding.get(lookUp.key);
		if (joined == null) {
			return false;
		}
		joined.add(lookUp);
		return this.adding.get(lookUp.key) == joined;
	}

	private void handOver(String key, Queue<LookUp> lookUps) {
		try {
			this.adding.put(key, lookUps);
			lookUps.forEach(this.queue::remove);
			this.environment.executor().execute(() -> addInTurn(key));
		}
		// the generator is closed, or memory is exhausted
		catch (Throwable ex) {
			endAdding(key, ex, null);
		}
	}

	private void addInTurn(String key) {
		try {
			this.additions.run(() -> add(key));
		}
		// memory is exhausted
		catch (Throwable ex) {
			endAdding(key, ex, null);
		}
	}

	private void add(String key) {
		Queue<LookUp> lookUps = this.adding.get(key);
		Throwable failure = this.closing;
		String equated = null;
		try {
			if (lookUps != null && failure == null) {
				if (!isAwaited(lookUps)) {
					this.adding.remove(key, lookUps);
					// a look-up may have joined before the entry was removed. If it joins
					// later, it stays in the queue
					if (!isAwaited(lookUps)) {
						return;
					}
				}
				equated = addRow(key);
			}
		}
		// the look-ups end after any throwable, even an Error, so that no caller waits in
		// vain
		catch (Throwable ex) {
			failure = ex;
		}
		if (lookUps != null) {
			// another task may have an entry for the key by now
			this.adding.remove(key, lookUps);
			end(lookUps, failure, equated);
		}
	}

	// No row is added if all callers have given up. Otherwise, their rows would pile up
	// behind a row that cannot be added.
	private static boolean isAwaited(Queue<LookUp> lookUps) {
		return lookUps.stream().anyMatch((lookUp) -> !lookUp.isOpen());
	}

	// Removes the entry, because look-ups that join it would wait in vain.
	private void endAdding(String key, Throwable failure, @Nullable String equated) {
		end(this.adding.remove(key), failure, equated);
	}

	private void end(@Nullable Queue<LookUp> lookUps, @Nullable Throwable failure, @Nullable String equated) {
		if (lookUps != null) {
			lookUps.forEach((lookUp) -> {
				lookUp.equated = equated;
				end(lookUp, failure);
			});
		}
	}

	// Returns the key of a row that the store treats as equal, if the key has no row.
	private @Nullable String addRow(String key) {
		Set<String> missing = new HashSet<>(Set.of(key));
		try {
			boolean added = isAddable(key);
			if (added) {
				create(key);
			}
			List<SegmentRow> rows = this.store.find(missing);
			seen(rows, missing);
			if (added && missing.isEmpty()) {
				rows.forEach((row) -> logger.info("Added a row for key '{}': max_id {}, step {}", row.key(),
						row.maxId(), row.step()));
			}
			return equated(key, Set.of(key), rows);
		}
		finally {
			if (!missing.isEmpty()) {
				this.notBefore = this.environment.nanoTime().getAsLong() + PAUSE.toNanos();
			}
		}
	}

	private void create(String key) {
		long largest = Math.min(this.existingIds.getOrDefault(key, 0L), SegmentStore.MAX_END);
		KeySettings settings = this.settings.key(key);
		KeyPeriod period = settings.period();
		// The counter of a key with periods begins at or above the first ID of the first
		// period rather than at 1, so that it stays within a period even if
		// leaf.segment.failover-gap raises it before the first allocation.
		long smallest = (period != null) ? period.firstId() : settings.startFrom();
		long start = Math.max(smallest, largest + 1);
		this.store.create(key, this.settings.autoCreateStep(), start);
	}

	// The database may have found a row whose key differs from the given key, because it
	// treats the two as equal. Returns the key of that row, or null if there is no such
	// row. The result is a guess for the message of an exception, because the database
	// does not report which keys it treats as equal.
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
	 * A caller's request to look up a key. The latch is open if the look-up has ended, or
	 * if the caller has given up.
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
