// SPDX-License-Identifier: Apache-2.0

package io.leaf.test;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.stream.LongStream;

import io.leaf.IdGenerationException;
import org.jspecify.annotations.Nullable;

/**
 * The state of one key of a {@link TestIdGenerator}. The generator holds its lock
 * whenever it accesses this object.
 */
final class KeyAnswers {

	private final String name;

	private final Deque<Answer> answers = new ArrayDeque<>();

	/**
	 * The issued IDs, as blocks of consecutive numbers, because a test can draw millions
	 * of IDs.
	 */
	private final List<Block> blocks = new ArrayList<>();

	/**
	 * The number from which the key continues to count: the first ID of the key, or the
	 * number after the last ID that was issued or set. The value is negative if that last
	 * ID is the largest possible number.
	 */
	private long next;

	KeyAnswers(String name, long first) {
		this.name = name;
		this.next = first;
	}

	KeyAnswers withoutHistory() {
		KeyAnswers copy = new KeyAnswers(this.name, this.next);
		copy.answers.addAll(this.answers);
		return copy;
	}

	long[] issue(int count) {
		long[] ids = new long[count];
		for (int i = 0; i < count; i++) {
			ids[i] = next();
		}
		for (long id : ids) {
			record(id);
		}
		return ids;
	}

	private long next() {
		Answer answer = this.answers.poll();
		if (answer == null) {
			if (this.next < 0) {
				throw new IdGenerationException(
						"Key '%s' has issued the largest possible number. Reset the generator".formatted(this.name));
			}
			return this.next++;
		}
		if (answer.failure() != null) {
			throw answer.failure();
		}
		return answer.id();
	}

	private void record(long id) {
		Block last = this.blocks.isEmpty() ? null : this.blocks.get(this.blocks.size() - 1);
		if (last != null && last.to() + 1 == id) {
			this.blocks.set(this.blocks.size() - 1, new Block(last.from(), id));
		}
		else {
			this.blocks.add(new Block(id, id));
		}
	}

	long[] issued() {
		return this.blocks.stream()
			.flatMapToLong((block) -> LongStream.rangeClosed(block.from(), block.to()))
			.toArray();
	}

	void willIssue(long... ids) {
		long above = this.next;
		for (long id : ids) {
			if (above < 0 || id < above) {
				String left = (above < 0) ? "the largest possible number has been issued or set"
						: "the next ID must be at least %d".formatted(above);
				throw new IllegalArgumentException(
						"Key '%s' cannot issue %d, because IDs must be in ascending order and %s. Use larger IDs, or reset the generator first"
							.formatted(this.name, id, left));
			}
			above = id + 1;
		}
		for (long id : ids) {
			this.answers.add(new Answer(id, null));
		}
		this.next = above;
	}

	void willFail(IdGenerationException failure) {
		this.answers.add(new Answer(-1, failure));
	}

	private record Answer(long id, @Nullable IdGenerationException failure) {

	}

	private record Block(long from, long to) {

	}

}
