// SPDX-License-Identifier: Apache-2.0

package io.leaf.simulation;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The faults of a world, and how often they have happened. For each time with faults,
 * each kind of fault is left out with a probability of one half, so that some of these
 * times have only a few kinds of faults. All faults end at the same time, including those
 * that last.
 */
final class Faults {

	/**
	 * How long a time with faults lasts, in nanoseconds.
	 */
	static final long DURATION = TimeUnit.SECONDS.toNanos(60);

	private final World world;

	private final RandomSource random;

	private final List<Fault> kinds;

	private final Map<Fault, Double> probabilities = new EnumMap<>(Fault.class);

	private final Map<Fault, Integer> counts = new EnumMap<>(Fault.class);

	private long end;

	private boolean over;

	/**
	 * Creates the faults of a world, and begins the first time with faults.
	 * @param kinds the kinds of faults that the world may have
	 */
	Faults(World world, List<Fault> kinds) {
		this.world = world;
		this.kinds = kinds;
		this.random = world.random();
		begin();
	}

	/**
	 * Begins a time with faults, for which the probability of each kind of fault is
	 * drawn.
	 */
	void begin() {
		this.over = false;
		this.end = this.world.now() + DURATION;
		for (Fault fault : this.kinds) {
			this.probabilities.put(fault, this.random.chance(0.5) ? 0.3 / (1 << this.random.between(0, 6)) : 0.0);
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

	List<Fault> kinds() {
		return this.kinds;
	}

	/**
	 * Returns whether a kind of fault may happen at present.
	 */
	boolean has(Fault fault) {
		return !this.over && this.probabilities.get(fault) > 0;
	}

	/**
	 * Decides at random whether a fault that could happen now happens.
	 */
	boolean happens(Fault fault) {
		if (this.over || !this.random.chance(this.probabilities.get(fault))) {
			return false;
		}
		count(fault);
		return true;
	}

	/**
	 * Returns the duration of a fault that begins now, in nanoseconds.
	 * @param longest the longest possible duration
	 */
	long duration(long longest) {
		return Math.max(0, Math.min(this.random.upTo(longest), this.end - this.world.now()));
	}

	void count(Fault fault) {
		this.counts.merge(fault, 1, Integer::sum);
	}

	Map<Fault, Integer> counts() {
		return this.counts;
	}

}
