// SPDX-License-Identifier: Apache-2.0

package io.leaf.segment;

import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Collectors;

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
	// Callers only read the map of sequences. Only the library's threads write to it,
	// because writes to a ConcurrentHashMap take monitors, and a caller that is suspended
	// while it holds a monitor would block other callers.

	private static final Logger logger = LoggerFactory.getLogger(KeyDirectory.class);

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

	private final KeyLookUps lookUps;

	private volatile @Nullable Throwable closing;

	KeyDirectory(SegmentStore store, SegmentSettings settings, SegmentEnvironment environment) {
		this.store = store;
		this.settings = settings;
		this.environment = environment;
		this.lookUps = new KeyLookUps(store, settings, environment, this);
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
	 * {@link KeyLookUps#lookUp}.
	 */
	KeySequence known(@Nullable String key) {
		KeySequence sequence = (key != null) ? this.sequences.get(key) : null;
		return (sequence != null) ? sequence : this.lookUps.lookUp(IdArguments.checkKey(key));
	}

	KeyLookUps lookUps() {
		return this.lookUps;
	}

	/**
	 * Closes every sequence, including those that a look-up or refresh under way is about
	 * to add, and ends the look-ups.
	 */
	void close() {
		this.closing = new RejectedExecutionException("the generator is closed, the application is shutting down");
		this.sequences.values().forEach(KeySequence::close);
		this.lookUps.close();
	}

	/**
	 * Returns why look-ups fail if this directory is closed; otherwise {@code null}.
	 */
	@Nullable Throwable closing() {
		return this.closing;
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

	/**
	 * Records that rows have been read from the store.
	 * @param rows the rows
	 * @param missing the keys that have been requested. The keys of the rows are removed
	 * from it
	 */
	void seen(Collection<SegmentRow> rows, Set<String> missing) {
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
		// the row may have been seen since isNew() was called
		if (find(key) != null) {
			this.existingIds.remove(key);
		}
	}

	/**
	 * Returns the largest ID in the table of the key's entity, as far as it is known.
	 */
	long largestExistingId(String key) {
		return this.existingIds.getOrDefault(key, 0L);
	}

}
