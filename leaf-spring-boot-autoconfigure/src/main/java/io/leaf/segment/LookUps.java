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

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

/**
 * Looks keys up, one after the other: a flood of them must not hold the fetches of known
 * keys up, with which they share the threads.
 */
final class LookUps {

	// The executor holds one task at most, which answers one look-up and then submits
	// itself
	// again if 'waiting' says that there are more. Whoever raises 'waiting' from 0
	// submits it.

	private final SegmentEnvironment environment;

	private final Duration patience;

	private final Function<String, @Nullable SegmentSequence> read;

	private final ConcurrentHashMap<String, LookUp> underWay = new ConcurrentHashMap<>();

	private final ConcurrentLinkedQueue<LookUp> queue = new ConcurrentLinkedQueue<>();

	private final AtomicInteger waiting = new AtomicInteger();

	private volatile @Nullable Throwable lastFailure;

	/**
	 * Creates look-ups.
	 * @param patience how long a caller waits for its look-up, at most
	 * @param read reads the row of a key; {@code null} if there is none
	 */
	LookUps(SegmentEnvironment environment, Duration patience, Function<String, @Nullable SegmentSequence> read) {
		this.environment = environment;
		this.patience = patience;
		this.read = read;
	}

	/**
	 * Returns the answer that somebody waits for already, or {@code null}.
	 */
	@Nullable CompletableFuture<@Nullable SegmentSequence> underWay(String key) {
		LookUp lookUp = this.underWay.get(key);
		return (lookUp != null) ? lookUp.answer() : null;
	}

	/**
	 * Looks a key up, unless that is under way already.
	 * @return the answer to come: a sequence, {@code null} if there is no row, or a
	 * failure
	 */
	CompletableFuture<@Nullable SegmentSequence> begin(String key) {
		LookUp lookUp = new LookUp(key, new CompletableFuture<>(), this.environment.nanoTime().getAsLong());
		LookUp other = this.underWay.putIfAbsent(key, lookUp);
		if (other != null) {
			return other.answer();
		}
		this.queue.add(lookUp);
		if (this.waiting.getAndIncrement() == 0) {
			submit();
		}
		return lookUp.answer();
	}

	/**
	 * Returns why the last look-up failed, or {@code null} if it did not.
	 */
	@Nullable Throwable lastFailure() {
		return this.lastFailure;
	}

	private void submit() {
		try {
			this.environment.executor().execute(this::answerNext);
		}
		catch (RejectedExecutionException ex) {
			// only a closed generator's executor rejects
			do {
				LookUp lookUp = this.queue.remove();
				this.underWay.remove(lookUp.key(), lookUp);
				lookUp.answer().completeExceptionally(ex);
			}
			while (this.waiting.decrementAndGet() > 0);
		}
	}

	private void answerNext() {
		LookUp lookUp = this.queue.remove();
		try {
			answer(lookUp);
		}
		finally {
			this.underWay.remove(lookUp.key(), lookUp);
			if (this.waiting.decrementAndGet() > 0) {
				submit();
			}
		}
	}

	private void answer(LookUp lookUp) {
		if (this.environment.nanoTime().getAsLong() - lookUp.since() > this.patience.toNanos()) {
			lookUp.answer().completeExceptionally(new TimeoutException("the store has not answered in time"));
			return;
		}
		try {
			SegmentSequence sequence = this.read.apply(lookUp.key());
			this.lastFailure = null;
			lookUp.answer().complete(sequence);
		}
		// an Error, too, must not leave the callers waiting
		catch (Throwable ex) {
			this.lastFailure = ex;
			lookUp.answer().completeExceptionally(ex);
		}
	}

	/**
	 * A key to look up.
	 *
	 * @param key the key
	 * @param answer the answer to come
	 * @param since when it was asked for
	 */
	private record LookUp(String key, CompletableFuture<@Nullable SegmentSequence> answer, long since) {

	}

}
