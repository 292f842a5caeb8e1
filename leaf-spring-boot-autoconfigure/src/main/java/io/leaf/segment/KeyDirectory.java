/*
 * Copyright 2026 the Leaf project authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *      https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */

package io.leaf.segment;

import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;

import io.leaf.Requests;
import io.leaf.SegmentUnavailableException;
import io.leaf.UnknownKeyException;
import io.leaf.support.DurationText;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which keys there are: the rows as they were read last, and those found one by one
 * since.
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

	private static final Logger logger = LoggerFactory.getLogger(KeyDirectory.class);

	private final SegmentStore store;

	private final SegmentSettings settings;

	private final SegmentEnvironment environment;

	private final UnknownKeys unknownKeys;

	private final ConcurrentHashMap<String, SegmentSequence> sequences = new ConcurrentHashMap<>();

	private final KeyStarts starts;

	/**
	 * The largest ID that the table of an entity holds, by key, until its row is there.
	 * Not a ConcurrentHashMap, which takes monitors, since callers write to it.
	 */
	private final ConcurrentSkipListMap<String, Long> existingIds = new ConcurrentSkipListMap<>();

	private final LookUps lookUps;

	private final List<Consumer<String>> listeners = new CopyOnWriteArrayList<>();

	private volatile @Nullable Throwable rowsFailure = new SegmentStoreException("The rows have not been read yet",
			null, true);

	private volatile boolean closed;

	KeyDirectory(SegmentStore store, SegmentSettings settings, KeyStarts starts, SegmentEnvironment environment) {
		this.store = store;
		this.settings = settings;
		this.starts = starts;
		this.environment = environment;
		this.unknownKeys = new UnknownKeys(environment.nanoTime());
		this.lookUps = new LookUps(environment, settings.acquireTimeout(), this::read);
	}

	/**
	 * Returns the sequence of a key if its row has been seen, be it removed by now.
	 */
	@Nullable SegmentSequence find(String key) {
		return this.sequences.get(key);
	}

	/**
	 * Closes every sequence, those included that a look-up or refresh under way is about
	 * to add, and ends the look-ups.
	 */
	void close() {
		this.closed = true;
		this.sequences.values().forEach(SegmentSequence::close);
		this.lookUps.close();
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
	 * Reads all rows: keys without a row stop, new ones start.
	 */
	void refresh() {
		try {
			readRows();
			this.rowsFailure = null;
		}
		catch (Throwable ex) {
			this.rowsFailure = ex;
			throw ex;
		}
	}

	private void readRows() {
		// Keys that come to be known while the rows are read need not be among them.
		List<SegmentSequence> before = this.sequences.values().stream().filter(SegmentSequence::isIssuing).toList();
		Set<String> present = new HashSet<>();
		for (SegmentRow row : this.store.findAll()) {
			present.add(row.key());
			seen(row);
		}
		for (SegmentSequence sequence : before) {
			if (!present.contains(sequence.key())) {
				logger.info("The row of key '{}' is gone: no more IDs for it", sequence.key());
				sequence.rowRemoved();
			}
		}
	}

	private void seen(SegmentRow row) {
		if (Requests.isKey(row.key())) {
			this.unknownKeys.forget(row.key());
			sequenceOf(row);
		}
	}

	private SegmentSequence sequenceOf(SegmentRow row) {
		SegmentSequence known = this.sequences.get(row.key());
		SegmentSequence sequence = (known != null) ? known
				: this.sequences.computeIfAbsent(row.key(), (key) -> SegmentSequence.create(key, this.store,
						this.settings, this.environment, (removed) -> lookUp(removed.key())));
		sequence.rowSeen(row);
		if (this.closed) {
			sequence.close();
		}
		if (known == null) {
			this.existingIds.remove(row.key());
			tell(row.key());
		}
		return sequence;
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
		if (this.closed) {
			throw closed(key);
		}
		if (this.unknownKeys.remembers(key)) {
			throw unknown(key);
		}
		LookUp lookUp = this.lookUps.underWay(key);
		if (lookUp == null) {
			if (!this.unknownKeys.tryLookUp()) {
				throw notLookedUp(key);
			}
			lookUp = this.lookUps.begin(key);
		}
		return await(key, lookUp);
	}

	private RuntimeException notLookedUp(String key) {
		Throwable failure = this.lookUps.lastFailure();
		if (failure != null) {
			// the tokens were spent on a store that does not answer
			return unavailable(key, failure);
		}
		return new UnknownKeyException(key,
				"Key '%s' is not known, and was not looked up: too many unknown keys were asked for lately. If there is a row for it, it will be known after the next refresh, within %s (leaf.segment.refresh-interval)"
					.formatted(key, DurationText.of(this.settings.refreshInterval())));
	}

	/**
	 * Returns whether the row of a key is to be added above the IDs that exist.
	 */
	boolean isNew(String key) {
		return this.starts.aboveExistingIds() && this.settings.autoCreateStep() > 0 && find(key) == null;
	}

	void startAbove(String key, long largestId) {
		this.existingIds.merge(key, largestId, Math::max);
	}

	private long start(String key) {
		long largest = Math.min(this.existingIds.getOrDefault(key, 0L), SegmentStore.MAX_END);
		return Math.max(this.starts.startFrom().getOrDefault(key, 1L), largest + 1);
	}

	private @Nullable SegmentSequence read(String key) {
		SegmentRow row = this.store.find(key);
		// a row that was removed would count from 1 again, below what other processes
		// have issued
		if (row == null && this.settings.autoCreateStep() > 0 && !this.sequences.containsKey(key)) {
			this.store.create(key, this.settings.autoCreateStep(), start(key));
			row = this.store.find(key);
			if (row != null) {
				logger.info("Added a row for key '{}': max_id {}, step {}", key, row.maxId(), row.step());
			}
		}
		if (row == null) {
			this.unknownKeys.remember(key);
			return null;
		}
		return sequenceOf(row);
	}

	private SegmentSequence await(String key, LookUp lookUp) {
		try {
			if (!lookUp.await(this.environment.waits(), this.settings.acquireTimeout().toNanos())) {
				throw new SegmentUnavailableException(key,
						"Key '%s' is not known yet and was not found within %s (leaf.segment.acquire-timeout)"
							.formatted(key, DurationText.of(this.settings.acquireTimeout())),
						null);
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new SegmentUnavailableException(key,
					"Key '%s' is not known yet: the thread was interrupted while it was looked up".formatted(key), ex);
		}
		Throwable failure = lookUp.failure();
		if (failure != null) {
			throw unavailable(key, failure);
		}
		SegmentSequence sequence = lookUp.sequence();
		if (sequence == null) {
			throw unknown(key);
		}
		return sequence;
	}

	private static SegmentUnavailableException unavailable(String key, Throwable failure) {
		if (failure instanceof RejectedExecutionException) {
			return closed(key);
		}
		return new SegmentUnavailableException(key,
				"Key '%s' is not known yet and could not be looked up: %s".formatted(key, failure.getMessage()),
				failure);
	}

	private static SegmentUnavailableException closed(String key) {
		return new SegmentUnavailableException(key,
				"No ID for key '%s': the generator is closed, the application is shutting down".formatted(key), null);
	}

	private UnknownKeyException unknown(String key) {
		return new UnknownKeyException(key,
				"There is no row for key '%s'. Add one (biz_tag = '%s', max_id = 1, step = 1000), or set leaf.segment.auto-create.enabled=true"
					.formatted(key, key));
	}

}
