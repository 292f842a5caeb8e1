// SPDX-License-Identifier: Apache-2.0

package io.leaf.segment;

import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListMap;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Adds rows for keys that have none, and ends the look-ups of these keys.
 */
final class NewRows {

	// 'entries' has the look-ups of each key whose row is being added. Each entry has a
	// task of its own, which adds and reads the row, and removes the entry before it ends
	// the look-ups. Later look-ups of the key join the entry. The tasks run one at a
	// time, so that tasks that are blocked by another transaction occupy only one thread
	// and one connection. Other new keys may have to wait for a blocked task; other keys
	// do not, unless a fetch is blocked as well and occupies the other thread.
	//
	// A look-up is added to an entry before it is removed from the queue of KeyLookUps,
	// and closing ends the look-ups in the queue before those in the entries. Look-ups of
	// a removed entry that get neither an answer nor a failure are requested again, and
	// the request reads 'closing' last. So closing misses no look-up.

	private static final Logger logger = LoggerFactory.getLogger(NewRows.class);

	private final SegmentStore store;

	private final SegmentSettings settings;

	private final SegmentEnvironment environment;

	private final KeyDirectory directory;

	private final KeyLookUps lookUps;

	private final ConcurrentSkipListMap<String, Queue<LookUp>> entries = new ConcurrentSkipListMap<>();

	private final SerialTasks tasks;

	NewRows(SegmentStore store, SegmentSettings settings, SegmentEnvironment environment, KeyDirectory directory,
			KeyLookUps lookUps) {
		this.store = store;
		this.settings = settings;
		this.environment = environment;
		this.directory = directory;
		this.lookUps = lookUps;
		this.tasks = new SerialTasks(environment.executor());
	}

	/**
	 * Returns whether the row of a key may be added. If the row of a known key was
	 * removed, no row is added, because the counter of the new row could start below
	 * numbers that other processes have issued.
	 */
	boolean isAddable(String key) {
		return this.settings.createsRow(key) && this.directory.find(key) == null;
	}

	/**
	 * Adds a look-up to the entry of its key, if there is one and the row may still be
	 * added.
	 * @return whether the look-up will be ended or requested again. If the entry has been
	 * removed in the meantime, this may also happen although the result is {@code false}
	 */
	boolean join(LookUp lookUp) {
		Queue<LookUp> entry = this.entries.get(lookUp.key());
		// if the row has been seen in the meantime, the look-up does not wait for the
		// task
		if (entry == null || !isAddable(lookUp.key())) {
			return false;
		}
		entry.add(lookUp);
		return this.entries.get(lookUp.key()) == entry;
	}

	/**
	 * Arranges for the row of a key to be added.
	 * @param key the key, which has no entry yet
	 * @param entry the look-ups of the key, which this method takes over
	 */
	void add(String key, Queue<LookUp> entry) {
		try {
			this.entries.put(key, entry);
			this.environment.executor().execute(() -> runInTurn(key, entry));
		}
		// the generator is closed, or memory is exhausted
		catch (Throwable ex) {
			end(key, entry, ex);
		}
	}

	private void runInTurn(String key, Queue<LookUp> entry) {
		try {
			this.tasks.run(() -> run(key, entry));
		}
		// memory is exhausted
		catch (Throwable ex) {
			end(key, entry, ex);
		}
	}

	private void run(String key, Queue<LookUp> entry) {
		Throwable failure = this.directory.closing();
		if (failure == null) {
			try {
				// If all callers have given up, no row is added. Otherwise, their rows
				// would pile up behind a row that cannot be added
				if (entry.stream().allMatch(Latch::isOpen)) {
					requestAgain(key, entry);
				}
				else {
					addAndRead(key, entry);
				}
				return;
			}
			// the look-ups end after any throwable, even an Error, so that no caller
			// waits in vain
			catch (Throwable ex) {
				failure = ex;
			}
		}
		end(key, entry, failure);
		// the callers may have given up
		logger.debug("Cannot add a row for key '{}'", key, failure);
	}

	private void addAndRead(String key, Queue<LookUp> entry) {
		Set<String> missing = new HashSet<>(Set.of(key));
		try {
			boolean added = isAddable(key);
			if (added) {
				create(key);
			}
			List<LookUp> asking = List.copyOf(entry);
			List<SegmentRow> rows = this.store.find(missing);
			this.directory.seen(rows, missing);
			if (missing.isEmpty()) {
				if (added) {
					rows.forEach((row) -> logger.info("Added a row for key '{}': max_id {}, step {}", row.key(),
							row.maxId(), row.step()));
				}
				end(key, entry, null);
			}
			else {
				pause();
				String equated = KeyLookUps.equated(key, Set.of(key), rows);
				this.entries.remove(key, entry);
				asking.forEach((lookUp) -> this.lookUps.end(lookUp, null, equated));
				// the answer may be older than the other look-ups
				requestAgain(key, entry);
			}
		}
		catch (Throwable ex) {
			if (!missing.isEmpty()) {
				pause();
			}
			throw ex;
		}
	}

	private void pause() {
		this.lookUps.pause(this.environment.nanoTime().getAsLong());
	}

	// Removes an entry without an answer. A look-up may have joined before.
	private void requestAgain(String key, Queue<LookUp> entry) {
		this.entries.remove(key, entry);
		for (LookUp lookUp : entry) {
			if (!lookUp.isOpen()) {
				this.lookUps.request(lookUp);
			}
		}
	}

	private void end(String key, Queue<LookUp> entry, @Nullable Throwable failure) {
		this.entries.remove(key, entry);
		entry.forEach((lookUp) -> this.lookUps.end(lookUp, failure, null));
	}

	/**
	 * Ends all look-ups because the generator is being closed.
	 */
	void close() {
		this.entries.values().forEach((entry) -> entry.forEach((lookUp) -> this.lookUps.end(lookUp, null, null)));
		this.entries.clear();
	}

	private void create(String key) {
		long largest = Math.min(this.directory.largestExistingId(key), SegmentStore.MAX_END);
		KeySettings settings = this.settings.key(key);
		KeyPeriod period = settings.period();
		// The counter of a key with periods begins at or above the first ID of the first
		// period rather than at 1, so that it stays within a period even if
		// leaf.segment.failover-gap raises it before the first allocation.
		long smallest = (period != null) ? period.firstId() : settings.startFrom();
		long start = Math.max(smallest, largest + 1);
		this.store.create(key, this.settings.autoCreateStep(), start);
	}

}
