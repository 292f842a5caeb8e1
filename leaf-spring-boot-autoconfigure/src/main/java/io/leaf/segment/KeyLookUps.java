// SPDX-License-Identifier: Apache-2.0

package io.leaf.segment;

import java.text.Collator;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

import io.leaf.SegmentUnavailableException;
import io.leaf.UnknownKeyException;
import io.leaf.support.FailureText;
import org.jspecify.annotations.Nullable;

/**
 * Looks up keys whose rows this process has not seen, and keys whose rows have been
 * removed.
 */
final class KeyLookUps {

	// The store is read on the library's threads only, because a caller may be inside a
	// transaction and hold the last connection of a pool.
	//
	// A caller that does not find its key adds a look-up to the queue, hands a task over
	// to the library's threads, waits until the look-up ends, and looks for its key
	// again. If 'reading' is null, the task stores a new object there, its turn, and
	// schedules a task that reads. When this one begins, it replaces the turn with
	// RUNNING. It collects the look-ups of up to BATCH keys from the head of the queue,
	// reads the rows of all these keys at once, removes and ends the look-ups, resets
	// 'reading' to null, and checks whether there are more look-ups. All other tasks
	// leave their look-ups to this task. So no look-up is forgotten, even if the caller
	// that added it is suspended. If the executor runs a task although scheduling it has
	// failed with an Error, the task no longer finds its turn, and does not read, unless
	// it begins before the turn is withdrawn.
	//
	// Keys without a row are not remembered, so that IDs of such a key can be issued as
	// soon as it has a row. However many keys without a row are requested, their look-ups
	// read the store at most once per PAUSE, for up to BATCH keys, and on one thread at a
	// time. A key whose row is to be added, or cannot be added, costs an INSERT and
	// another query, without a pause.
	//
	// The task that reads adds no rows, because another transaction can block this for
	// seconds. It moves the look-ups of a key whose row is to be added to NewRows.
	//
	// The directory sets 'closing' before this class ends all look-ups, and a caller adds
	// its look-up before it reads 'closing'. So no caller waits for a closed generator.

	static final int BATCH = 1000;

	static final Duration PAUSE = Duration.ofMillis(100);

	private static final Object RUNNING = new Object();

	private final SegmentStore store;

	private final SegmentSettings settings;

	private final SegmentEnvironment environment;

	private final KeyDirectory directory;

	private final NewRows newRows;

	private final Queue<LookUp> queue = new ConcurrentLinkedQueue<>();

	private final AtomicReference<@Nullable Object> reading = new AtomicReference<>();

	// written by the task that reads and by those that add rows. If two of them write at
	// the same time, the shorter pause may prevail
	private volatile long notBefore;

	KeyLookUps(SegmentStore store, SegmentSettings settings, SegmentEnvironment environment, KeyDirectory directory) {
		this.store = store;
		this.settings = settings;
		this.environment = environment;
		this.directory = directory;
		this.newRows = new NewRows(store, settings, environment, directory, this);
		this.notBefore = environment.nanoTime().getAsLong();
	}

	/**
	 * Looks up a key. Waits for the result, at most as long as the acquire timeout.
	 * @return the sequence of the key
	 * @throws UnknownKeyException if there is no row
	 * @throws SegmentUnavailableException if the store fails or does not answer in time,
	 * or if the generator is closed
	 */
	KeySequence lookUp(String key) {
		LookUp lookUp = request(key);
		Duration timeout = this.settings.acquireTimeout();
		try {
			return result(lookUp, lookUp.isOpen() ? null : this.environment.await(lookUp, timeout.toNanos(), timeout));
		}
		// the thread cannot park, for example on an event loop on which BlockHound throws
		catch (Error ex) {
			lookUp.countDown();
			throw ex;
		}
	}

	/**
	 * Requests the look-up of a key. Does not wait.
	 */
	LookUp request(String key) {
		LookUp lookUp = new LookUp(key);
		request(lookUp);
		return lookUp;
	}

	/**
	 * Requests a look-up. Does not wait.
	 */
	void request(LookUp lookUp) {
		this.queue.add(lookUp);
		if (this.directory.closing() != null) {
			this.queue.remove(lookUp);
			end(lookUp, null, null);
			return;
		}
		try {
			this.environment.executor().execute(this::begin);
		}
		catch (RejectedExecutionException ex) {
			this.queue.remove(lookUp);
			end(lookUp, ex, null);
		}
		// the caller ends with the Error, and does not wait for the row
		catch (Error ex) {
			this.queue.remove(lookUp);
			end(lookUp, ex, null);
			throw ex;
		}
	}

	/**
	 * Returns the result of a look-up, which is the sequence of the key.
	 * @param unanswered why the look-up has not ended, or {@code null} if it has ended
	 * @throws UnknownKeyException if there is no row
	 * @throws SegmentUnavailableException if the store fails or does not answer in time,
	 * or if the generator is closed
	 */
	KeySequence result(LookUp lookUp, @Nullable Throwable unanswered) {
		if (unanswered != null) {
			// the caller has given up
			lookUp.countDown();
		}
		String key = lookUp.key();
		KeySequence sequence = this.directory.find(key);
		if (sequence != null && !sequence.isRemoved()) {
			return sequence;
		}
		Throwable failure = (unanswered != null) ? unanswered : lookUp.failure();
		if (failure == null) {
			throw unknown(key, lookUp.equated());
		}
		throw new SegmentUnavailableException(key,
				"Key '%s' could not be looked up: %s".formatted(key, FailureText.of(failure)), failure);
	}

	/**
	 * Ends all look-ups because the generator is being closed.
	 */
	void close() {
		this.queue.forEach((lookUp) -> end(lookUp, null, null));
		this.newRows.close();
	}

	/**
	 * Makes the next batch that is scheduled wait, because a key has no row or the store
	 * has failed.
	 * @param since when the pause begins, as a time of the monotonic clock
	 */
	void pause(long since) {
		long end = since + PAUSE.toNanos();
		if (end - this.notBefore > 0) {
			this.notBefore = end;
		}
	}

	/**
	 * Ends a look-up.
	 * @param lookUp the look-up
	 * @param failure why it failed, or {@code null} if the store has answered. If the
	 * generator is closed, the look-up fails for this reason instead
	 * @param equated the key of a row that the database treats as equal, or {@code null}
	 */
	void end(LookUp lookUp, @Nullable Throwable failure, @Nullable String equated) {
		// the rejection of a task would not say why the look-up has failed
		Throwable closing = this.directory.closing();
		lookUp.end((closing != null) ? closing : failure, equated);
	}

	private void begin() {
		Object turn = null;
		try {
			if (!this.queue.isEmpty() && this.reading.get() == null) {
				Object next = new Object();
				if (this.reading.compareAndSet(null, next)) {
					turn = next;
					long pause = this.notBefore - this.environment.nanoTime().getAsLong();
					this.environment.executor()
						.schedule(() -> readNext(next), Math.max(0, pause), TimeUnit.NANOSECONDS);
				}
			}
		}
		// the generator is closed, or memory is exhausted. Unless another task reads, all
		// look-ups end, because no task will read their rows
		catch (Throwable ex) {
			if (this.reading.compareAndSet(turn, null)) {
				this.queue.removeIf((lookUp) -> {
					end(lookUp, ex, null);
					return true;
				});
			}
		}
	}

	private void readNext(Object turn) {
		if (!this.reading.compareAndSet(turn, RUNNING)) {
			return;
		}
		List<LookUp> lookUps = List.of();
		Map<String, @Nullable String> missing = Map.of();
		Throwable failure = this.directory.closing();
		boolean complete = false;
		long now = this.environment.nanoTime().getAsLong();
		try {
			lookUps = new ArrayList<>();
			Set<String> keys = take(lookUps);
			if (failure == null && !keys.isEmpty()) {
				missing = read(keys, lookUps);
			}
			complete = missing.isEmpty();
		}
		// the look-ups end after any throwable, even an Error, so that no caller waits in
		// vain
		catch (Throwable ex) {
			failure = ex;
		}
		try {
			if (!complete) {
				pause(now);
			}
			for (LookUp lookUp : lookUps) {
				this.queue.remove(lookUp);
				end(lookUp, failure, missing.get(lookUp.key()));
			}
		}
		finally {
			this.reading.set(null);
			begin();
		}
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
			if (!next.isOpen()) {
				if (this.newRows.join(next)) {
					this.queue.remove(next);
					continue;
				}
				keys.add(next.key());
			}
			lookUps.add(next);
		}
		return keys;
	}

	// Removes the look-ups of keys whose rows are to be added from the list. Returns the
	// other keys that have no row, each with the key of a row that the database treats as
	// equal.
	private Map<String, @Nullable String> read(Set<String> keys, List<LookUp> lookUps) {
		Set<String> missing = new HashSet<>(keys);
		List<SegmentRow> found = this.store.find(keys);
		this.directory.seen(found, missing);
		Map<String, Queue<LookUp>> addable = new LinkedHashMap<>();
		for (LookUp lookUp : lookUps) {
			if (missing.contains(lookUp.key()) && this.newRows.isAddable(lookUp.key())) {
				addable.computeIfAbsent(lookUp.key(), (key) -> new ConcurrentLinkedQueue<>()).add(lookUp);
			}
		}
		lookUps.removeIf((lookUp) -> addable.containsKey(lookUp.key()));
		addable.forEach((key, entry) -> {
			this.newRows.add(key, entry);
			entry.forEach(this.queue::remove);
		});
		missing.removeAll(addable.keySet());
		Map<String, @Nullable String> equated = new HashMap<>();
		missing.forEach((key) -> equated.put(key, equated(key, keys, found)));
		return equated;
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

	// The database may have found a row whose key differs from the given key, because it
	// treats the two as equal. Returns the key of that row, or null if there is no such
	// row. The result is a guess for the message of an exception, because the database
	// does not report which keys it treats as equal.
	static @Nullable String equated(String key, Set<String> keys, List<SegmentRow> found) {
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

}
