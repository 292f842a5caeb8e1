// SPDX-License-Identifier: Apache-2.0

package io.leaf.test;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

import io.leaf.IdGenerationException;
import io.leaf.IdGenerator;
import io.leaf.IdSequence;
import io.leaf.InvalidRequestException;
import io.leaf.SegmentUnavailableException;
import io.leaf.support.IdArguments;
import io.leaf.text.IdFormats;

/**
 * An {@link IdGenerator} for tests. Every key exists and counts 1, 2, 3, …, unless the
 * test sets another first ID or the next IDs of the key. The generator uses no database
 * and has no threads of its own, and a call never waits for an ID. Like the generators of
 * an application, it rejects an invalid key or an invalid count.
 * <p>
 * This class is thread-safe. If several threads draw IDs at the same time, it is not
 * defined which thread gets which ID.
 */
public final class TestIdGenerator implements IdGenerator {

	private final ReentrantLock lock = new ReentrantLock();

	private final long first;

	private final Map<String, Long> firstByKey;

	private final IdFormats formats;

	private Map<String, KeyAnswers> keys = new HashMap<>();

	private Map<String, KeyAnswers> marked = Map.of();

	/**
	 * Creates a generator whose keys count from 1.
	 */
	public TestIdGenerator() {
		this(1);
	}

	/**
	 * Creates a generator whose keys count from the given number, for example from a
	 * number above the IDs of the rows that a script has inserted.
	 * @param first the first ID of every key, zero or greater
	 * @throws IllegalArgumentException if the first ID is negative
	 */
	public TestIdGenerator(long first) {
		this(first, Map.of(), new IdFormats(Map.of()));
	}

	/**
	 * Creates a generator whose keys count from the given numbers and have the given
	 * formats.
	 * @param first the first ID of every key that is not in {@code firstByKey}, zero or
	 * greater
	 * @param firstByKey the first IDs of individual keys, such as keys with periods
	 * @param formats the formats of the keys
	 * @throws IllegalArgumentException if the first ID is negative
	 */
	public TestIdGenerator(long first, Map<String, Long> firstByKey, IdFormats formats) {
		if (first < 0) {
			throw new IllegalArgumentException("The first ID must be zero or greater: was " + first);
		}
		this.first = first;
		this.firstByKey = Map.copyOf(firstByKey);
		this.formats = formats;
	}

	@Override
	public long nextId(String key) {
		return nextIds(key, 1)[0];
	}

	/**
	 * {@inheritDoc}
	 * @throws IdGenerationException if {@link #willFail} has requested a failure, or if
	 * the key has issued the largest possible number
	 */
	@Override
	public long[] nextIds(String key, int count) {
		IdArguments.checkKey(key);
		IdArguments.checkCount(count);
		return locked(() -> key(key).issue(count));
	}

	@Override
	public String nextText(String key) {
		return this.formats.of(key).format(nextId(key));
	}

	@Override
	public IdSequence sequence(String key) {
		return new TestIdSequence(this, IdArguments.checkKey(key));
	}

	/**
	 * Sets the IDs that a key issues next. If IDs or failures of the key have already
	 * been set, they come first. After the last of the given IDs, the key continues with
	 * the number above that ID.
	 * @param key the key of the IDs
	 * @param ids the IDs, in ascending order, above the IDs already issued or set, and
	 * not below the first ID of the key
	 * @throws IllegalArgumentException if the IDs do not meet these conditions
	 * @throws InvalidRequestException if the key is null, empty or too long
	 */
	public void willIssue(String key, long... ids) {
		IdArguments.checkKey(key);
		locked(() -> {
			key(key).willIssue(ids);
			return null;
		});
	}

	/**
	 * Makes one call for a key fail with a {@link SegmentUnavailableException}, as if the
	 * database were unavailable for longer than the application waits. If IDs or failures
	 * of the key have already been set, they come first.
	 * @param key the key of the IDs
	 * @throws InvalidRequestException if the key is null, empty or too long
	 */
	public void willFail(String key) {
		IdArguments.checkKey(key);
		willFail(key, new SegmentUnavailableException(key,
				"No ID of key '%s' can be issued (requested by TestIdGenerator.willFail)".formatted(key), null));
	}

	/**
	 * Makes one call for a key fail with the given exception. If IDs or failures of the
	 * key have already been set, they come first.
	 * @param key the key of the IDs
	 * @param failure the exception, for example an {@link io.leaf.UnknownKeyException}
	 * @throws InvalidRequestException if the key is null, empty or too long
	 */
	public void willFail(String key, IdGenerationException failure) {
		IdArguments.checkKey(key);
		locked(() -> {
			key(key).willFail(failure);
			return null;
		});
	}

	/**
	 * Returns the IDs that a key has issued since the last {@link #reset()}, or since the
	 * generator was created.
	 * @param key the key of the IDs
	 * @return the IDs in the order in which they were issued, or an empty array if the
	 * key has issued none
	 * @throws InvalidRequestException if the key is null, empty or too long
	 */
	public long[] issued(String key) {
		IdArguments.checkKey(key);
		return locked(() -> key(key).issued());
	}

	/**
	 * Makes {@link #reset()} restore the current state. After a reset, the IDs and
	 * failures that were set but not used yet when {@code mark()} was called come first.
	 * Each key then continues above all IDs that were issued or set before {@code mark()}
	 * was called.
	 */
	public void mark() {
		locked(() -> this.marked = copy(this.keys));
	}

	/**
	 * Restores the state at the last call to {@link #mark()}, or the initial state if
	 * {@code mark()} has not been called. IDs and failures that were set after this state
	 * are discarded. {@link #issued} returns no IDs until new ones are issued. Each
	 * {@link IdSequence} remains valid.
	 */
	public void reset() {
		locked(() -> this.keys = copy(this.marked));
	}

	private KeyAnswers key(String key) {
		return this.keys.computeIfAbsent(key,
				(added) -> new KeyAnswers(added, this.firstByKey.getOrDefault(added, this.first)));
	}

	private static Map<String, KeyAnswers> copy(Map<String, KeyAnswers> keys) {
		Map<String, KeyAnswers> copy = new HashMap<>();
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

	private CompletionStage<Long> nextIdAsync(String key) {
		CompletableFuture<Long> stage = new CompletableFuture<>();
		// the caller may be an event loop, which must not park while another thread holds
		// the lock
		if (!this.lock.tryLock()) {
			stage.defaultExecutor().execute(() -> complete(stage, key));
			return stage;
		}
		try {
			complete(stage, key);
		}
		finally {
			this.lock.unlock();
		}
		return stage;
	}

	private void complete(CompletableFuture<Long> stage, String key) {
		try {
			stage.complete(nextId(key));
		}
		catch (Throwable ex) {
			stage.completeExceptionally(ex);
		}
	}

	private record TestIdSequence(TestIdGenerator generator, String key) implements IdSequence {

		@Override
		public long nextId() {
			return this.generator.nextId(this.key);
		}

		@Override
		public CompletionStage<Long> nextIdAsync() {
			return this.generator.nextIdAsync(this.key);
		}

		@Override
		public long[] nextIds(int count) {
			return this.generator.nextIds(this.key, count);
		}

	}

}
