// SPDX-License-Identifier: Apache-2.0

package io.leaf.test;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

import io.leaf.IdGenerationException;
import io.leaf.IdGenerator;
import io.leaf.IdSequence;
import io.leaf.InvalidRequestException;
import io.leaf.Requests;
import io.leaf.SegmentUnavailableException;

/**
 * An {@link IdGenerator} for tests. Every key exists and counts 1, 2, 3, …, unless the
 * test says what comes next; no database, no threads, no waiting. It checks keys and
 * counts as the generators of an application do.
 * <p>
 * Safe for use by any number of threads; which thread gets which ID is then as open as
 * ever.
 */
public final class TestIdGenerator implements IdGenerator {

	private final ReentrantLock lock = new ReentrantLock();

	private final long first;

	private Map<String, TestKey> keys = new HashMap<>();

	private Map<String, TestKey> marked = Map.of();

	/**
	 * Creates a generator whose keys count from 1.
	 */
	public TestIdGenerator() {
		this(1);
	}

	/**
	 * Creates a generator whose keys count from a number, such as one above the rows that
	 * a script has inserted.
	 * @param first the first ID of every key, zero or greater
	 * @throws IllegalArgumentException if it is negative
	 */
	public TestIdGenerator(long first) {
		if (first < 0) {
			throw new IllegalArgumentException("The first ID must be zero or greater: was " + first);
		}
		this.first = first;
	}

	@Override
	public long nextId(String key) {
		return nextIds(key, 1)[0];
	}

	/**
	 * {@inheritDoc}
	 * @throws IdGenerationException where {@link #willFail} has said so
	 */
	@Override
	public long[] nextIds(String key, int count) {
		Requests.checkKey(key);
		Requests.checkCount(count);
		return locked(() -> key(key).issue(count));
	}

	@Override
	public IdSequence sequence(String key) {
		return new TestIdSequence(this, Requests.checkKey(key));
	}

	/**
	 * Says which IDs a key issues next, after those and the failures that have been said
	 * before. Then it counts on from the last of them.
	 * @param key what the IDs are for
	 * @param ids the IDs, in ascending order and above those issued, as IDs of a key are
	 * @throws IllegalArgumentException if they are not
	 * @throws InvalidRequestException if the key is null, empty or too long
	 */
	public void willIssue(String key, long... ids) {
		Requests.checkKey(key);
		locked(() -> {
			key(key).willIssue(ids);
			return null;
		});
	}

	/**
	 * Makes one call of a key fail, after the IDs and failures that have been said
	 * before: with a {@link SegmentUnavailableException}, as when the database is away
	 * for longer than an application waits for it.
	 * @param key what IDs are for
	 * @throws InvalidRequestException if the key is null, empty or too long
	 */
	public void willFail(String key) {
		Requests.checkKey(key);
		willFail(key, new SegmentUnavailableException(key,
				"No ID of key '%s' can be issued (requested by TestIdGenerator.willFail)".formatted(key), null));
	}

	/**
	 * Makes one call of a key fail, after the IDs and failures that have been said
	 * before.
	 * @param key what IDs are for
	 * @param failure what the call throws, such as an {@link io.leaf.UnknownKeyException}
	 * @throws InvalidRequestException if the key is null, empty or too long
	 */
	public void willFail(String key, IdGenerationException failure) {
		Requests.checkKey(key);
		locked(() -> {
			key(key).willFail(failure);
			return null;
		});
	}

	/**
	 * Returns what a key has issued since the last {@link #reset()}.
	 * @param key what the IDs are for
	 * @return the IDs in the order of their issue, empty if there are none
	 * @throws InvalidRequestException if the key is null, empty or too long
	 */
	public long[] issued(String key) {
		Requests.checkKey(key);
		return locked(() -> key(key).issued());
	}

	/**
	 * Makes {@link #reset()} come back to what is now: keys go on above what they have
	 * issued, and do next what has been said.
	 */
	public void mark() {
		locked(() -> this.marked = copy(this.keys));
	}

	/**
	 * Forgets what was issued and said since {@link #mark()}, or everything where that
	 * was never called. Sequences remain valid.
	 */
	public void reset() {
		locked(() -> this.keys = copy(this.marked));
	}

	private TestKey key(String key) {
		return this.keys.computeIfAbsent(key, (added) -> new TestKey(added, this.first));
	}

	private static Map<String, TestKey> copy(Map<String, TestKey> keys) {
		Map<String, TestKey> copy = new HashMap<>();
		keys.forEach((name, key) -> copy.put(name, key.withoutHistory()));
		return copy;
	}

	private <T> T locked(Supplier<T> action) {
		this.lock.lock();
		try {
			return action.get();
		}
		finally {
			this.lock.unlock();
		}
	}

	private record TestIdSequence(TestIdGenerator generator, String key) implements IdSequence {

		@Override
		public long nextId() {
			return this.generator.nextId(this.key);
		}

		@Override
		public long[] nextIds(int count) {
			return this.generator.nextIds(this.key, count);
		}

	}

}
