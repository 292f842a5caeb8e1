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
 * The IDs that one thread has drawn in a fork, including the warm-up: their number, and a
 * sample of them. The ID alone decides whether it belongs to the sample. Therefore, if
 * two threads draw the same ID, either both keep it or neither does. Every benchmark
 * records its IDs here, including those of the upper limits, so that the cost of
 * recording is the same for all.
 */
@State(Scope.Thread)
public class DrawnIds {

	// a fork draws about a billion IDs; one in 4,096 is kept
	private static final int SAMPLE_BITS = 12;

	private static final int CAPACITY = 1 << 20;

	private long[] sample = new long[0];

	private int sampled;

	private long count;

	private long times;

	private long skipped;

	/**
	 * Begins a fork.
	 * @param check the check of the IDs of all threads
	 */
	@Setup(Level.Trial)
	public void begin(IdCheck check) {
		this.sample = new long[CAPACITY];
		// writing to the array makes the operating system provide its pages before the
		// measurement begins
		Arrays.fill(this.sample, -1);
		check.join();
	}

	/**
	 * Records an ID.
	 * @param id the ID
	 * @return the ID
	 */
	public long record(long id) {
		this.count++;
		if ((id * 0x9e3779b97f4a7c15L) >>> (Long.SIZE - SAMPLE_BITS) == 0) {
			keep(id);
		}
		return id;
	}

	/**
	 * Does the same work as {@link #record(long)} for a time, which need not be unique.
	 * The time is not kept.
	 * @param time the time
	 * @return the time
	 */
	public long recordTime(long time) {
		this.times++;
		if ((time * 0x9e3779b97f4a7c15L) >>> (Long.SIZE - SAMPLE_BITS) == 0) {
			skip();
		}
		return time;
	}

	@CompilerControl(CompilerControl.Mode.DONT_INLINE)
	private void skip() {
		this.skipped++;
	}

	/**
	 * Records a batch of IDs. The sample of a batch consists of the multiples of 2^20,
	 * since inspecting each ID would take longer than drawing it.
	 * @param ids the IDs, in ascending order for each worker ID
	 * @return the IDs
	 */
	public long[] record(long[] ids) {
		this.count += ids.length;
		long last = ids[ids.length - 1];
		if ((ids[0] - 1) >> 20 != last >> 20) {
			keepIfContained((last >> 20) << 20, ids);
		}
		return ids;
	}

	// IDs of another worker ID, or of several, may surround a number without containing
	// it
	@CompilerControl(CompilerControl.Mode.DONT_INLINE)
	private void keepIfContained(long wanted, long[] ids) {
		for (long id : ids) {
			if (id == wanted) {
				keep(id);
				return;
			}
		}
	}

	// A rare call inside a loop makes the compiler keep the variables of the loop in
	// memory rather than in registers. A generator contains such a call, for the end of a
	// segment, and a bare counter does not. With this one, every loop contains one.
	@CompilerControl(CompilerControl.Mode.DONT_INLINE)
	private void keep(long id) {
		if (this.sampled < CAPACITY) {
			this.sample[this.sampled++] = id;
		}
	}

	/**
	 * Ends a fork. The last thread that calls this method checks the IDs of all threads.
	 * @param check the check of the IDs of all threads
	 */
	@TearDown(Level.Trial)
	public void end(IdCheck check) {
		check.leave(Arrays.copyOf(this.sample, this.sampled), this.count);
	}

}
