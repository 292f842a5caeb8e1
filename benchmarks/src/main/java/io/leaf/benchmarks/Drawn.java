// SPDX-License-Identifier: Apache-2.0

package io.leaf.benchmarks;

import java.util.Arrays;

import org.openjdk.jmh.annotations.CompilerControl;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * The IDs that one thread has drawn in a fork, warm-up included: how many, and a sample
 * of them. Which IDs belong to the sample is decided by the ID alone, so two threads that
 * have drawn the same one have both kept it. Every benchmark notes its IDs here, the
 * limits' too, so the cost of doing so is the same for all.
 */
@State(Scope.Thread)
public class Drawn {

	// one of 4,096: a fork draws a thousand million IDs
	private static final int SAMPLE_BITS = 12;

	private static final int CAPACITY = 1 << 20;

	private long[] sample = new long[0];

	private int sampled;

	private long count;

	private long read;

	private long skipped;

	/**
	 * Begins a fork.
	 * @param ledger where the threads of the fork come together
	 */
	@Setup(Level.Trial)
	public void begin(Ledger ledger) {
		this.sample = new long[CAPACITY];
		// its pages are to be there before anything is measured
		Arrays.fill(this.sample, -1);
		ledger.join();
	}

	/**
	 * Notes an ID.
	 * @param id the ID drawn
	 * @return the ID
	 */
	public long note(long id) {
		this.count++;
		if ((id * 0x9e3779b97f4a7c15L) >>> (Long.SIZE - SAMPLE_BITS) == 0) {
			keep(id);
		}
		return id;
	}

	/**
	 * Does the same work with what need not be unique, and keeps none of it.
	 * @param value the value read
	 * @return the value
	 */
	public long tally(long value) {
		this.read++;
		if ((value * 0x9e3779b97f4a7c15L) >>> (Long.SIZE - SAMPLE_BITS) == 0) {
			skip();
		}
		return value;
	}

	@CompilerControl(CompilerControl.Mode.DONT_INLINE)
	private void skip() {
		this.skipped++;
	}

	/**
	 * Notes IDs that were drawn in one step. Of those in a row the multiples of 2^20 are
	 * kept: looking at each would take longer than drawing them.
	 * @param ids the IDs drawn, ascending
	 * @return the IDs
	 */
	public long[] note(long[] ids) {
		this.count += ids.length;
		long last = ids[ids.length - 1];
		if ((ids[0] - 1) >> 20 != last >> 20) {
			keep((last >> 20) << 20);
		}
		return ids;
	}

	// A rare call inside the loop makes the compiler keep what the loop needs in memory
	// rather than in registers. A generator has such a call, for the time when a segment
	// ends, and a counter has none; with this one out of line, all loops have one.
	@CompilerControl(CompilerControl.Mode.DONT_INLINE)
	private void keep(long id) {
		if (this.sampled < CAPACITY) {
			this.sample[this.sampled++] = id;
		}
	}

	/**
	 * Ends a fork. The last thread to do so checks the IDs of all.
	 * @param ledger where the threads of the fork come together
	 */
	@TearDown(Level.Trial)
	public void end(Ledger ledger) {
		ledger.leave(Arrays.copyOf(this.sample, this.sampled), this.count);
	}

}
