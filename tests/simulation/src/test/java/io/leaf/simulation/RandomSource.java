// SPDX-License-Identifier: Apache-2.0

package io.leaf.simulation;

import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/**
 * The random decisions of a schedule, all determined by its seed.
 */
public final class RandomSource implements RandomGenerator {

	private final SplittableRandom random;

	RandomSource(long seed) {
		this.random = new SplittableRandom(seed);
	}

	@Override
	public long nextLong() {
		return this.random.nextLong();
	}

	/**
	 * Returns {@code true} with the given probability.
	 */
	boolean chance(double probability) {
		return this.random.nextDouble() < probability;
	}

	/**
	 * Returns a number within the given bounds, both inclusive.
	 */
	long between(long least, long most) {
		return least + this.random.nextLong(most - least + 1);
	}

	/**
	 * Returns the given duration divided by a random power of two, from 1 to 2048. So all
	 * orders of magnitude are equally likely.
	 */
	long upTo(long most) {
		return most >> this.random.nextInt(12);
	}

	/**
	 * Returns one of the given values.
	 */
	<T> T pick(List<T> all) {
		return all.get(this.random.nextInt(all.size()));
	}

	@SafeVarargs
	final <T> T pick(T... all) {
		return all[this.random.nextInt(all.length)];
	}

}
