// SPDX-License-Identifier: Apache-2.0

package io.leaf.simulation;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Which faults a world has, and how often they have happened. Half of the kinds are left
 * out of each world, so that there are worlds in which few things go wrong, and those go
 * far. All faults end at the same time, also those that last.
 */
final class Faults {

	/**
	 * For how long things go wrong, in nanoseconds.
	 */
	static final long DURATION = TimeUnit.SECONDS.toNanos(60);

	private final World world;

	private final Dice dice;

	private final Map<Fault, Double> probabilities = new EnumMap<>(Fault.class);

	private final Map<Fault, Integer> counts = new EnumMap<>(Fault.class);

	private boolean over;

	Faults(World world) {
		this.world = world;
		this.dice = world.dice();
		for (Fault fault : Fault.values()) {
			this.probabilities.put(fault, this.dice.chance(0.5) ? 0.3 / (1 << this.dice.between(0, 6)) : 0.0);
		}
	}

	/**
	 * Ends all faults.
	 */
	void end() {
		this.over = true;
	}

	boolean areOver() {
		return this.over;
	}

	/**
	 * Returns whether this world has a kind of fault.
	 */
	boolean has(Fault fault) {
		return !this.over && this.probabilities.get(fault) > 0;
	}

	/**
	 * Lets chance decide whether a fault happens now, where it could.
	 */
	boolean happens(Fault fault) {
		if (this.over || !this.dice.chance(this.probabilities.get(fault))) {
			return false;
		}
		count(fault);
		return true;
	}

	/**
	 * Returns how long a fault lasts that begins now, in nanoseconds.
	 * @param longest the longest it may
	 */
	long duration(long longest) {
		return Math.max(0, Math.min(this.dice.upTo(longest), DURATION - this.world.now()));
	}

	/**
	 * Counts a fault.
	 */
	void count(Fault fault) {
		this.counts.merge(fault, 1, Integer::sum);
	}

	Map<Fault, Integer> counts() {
		return this.counts;
	}

}
