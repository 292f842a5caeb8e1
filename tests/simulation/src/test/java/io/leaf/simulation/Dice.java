// SPDX-License-Identifier: Apache-2.0

package io.leaf.simulation;

import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/**
 * Everything that is left to chance in a schedule. The seed decides it all.
 */
public final class Dice implements RandomGenerator {

	private final SplittableRandom random;

	Dice(long seed) {
		this.random = new SplittableRandom(seed);
	}

	@Override
	public long nextLong() {
		return this.random.nextLong();
	}

	/**
	 * Returns {@code true} with the probability given.
	 */
	boolean chance(double probability) {
		return this.random.nextDouble() < probability;
	}

	/**
	 * Returns a number, both ends included.
	 */
	long between(long least, long most) {
		return least + this.random.nextLong(most - least + 1);
	}

	/**
	 * Returns a duration in nanoseconds from 0 to the one given. Short ones are as likely
	 * as long ones, by order of magnitude.
	 */
	long upTo(long most) {
		return most >> this.random.nextInt(12);
	}

	/**
	 * Returns one of several.
	 */
	<T> T pick(List<T> all) {
		return all.get(this.random.nextInt(all.size()));
	}

	@SafeVarargs
	final <T> T pick(T... all) {
		return all[this.random.nextInt(all.length)];
	}

}
