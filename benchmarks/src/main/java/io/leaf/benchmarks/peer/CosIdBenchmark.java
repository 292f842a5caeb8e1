// SPDX-License-Identifier: Apache-2.0

package io.leaf.benchmarks.peer;

import io.leaf.benchmarks.Drawn;
import io.leaf.benchmarks.Ledger;
import me.ahoo.cosid.segment.DefaultSegmentId;
import me.ahoo.cosid.segment.IdSegmentDistributor;
import me.ahoo.cosid.segment.SegmentChainId;
import me.ahoo.cosid.segment.SegmentId;
import me.ahoo.cosid.snowflake.MillisecondSnowflakeId;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * CosId. The segments come from its own counter in memory, with the step of
 * {@code SegmentBenchmark}; everything else is its default: a chain that keeps two
 * segments ahead, more while it is hungry, filled by its prefetch workers.
 */
public class CosIdBenchmark {

	private static final long STEP = 1_000_000;

	private static final int MACHINE_ID = 1;

	/**
	 * Draws from a chain of segments.
	 * @param chain the source
	 * @param drawn where the ID is noted
	 * @return the ID
	 */
	@Benchmark
	public long chain(Chain chain, Drawn drawn) {
		return drawn.note(chain.ids.generate());
	}

	/**
	 * Draws from a segment.
	 * @param segment the source
	 * @param drawn where the ID is noted
	 * @return the ID
	 */
	@Benchmark
	public long segment(Segment segment, Drawn drawn) {
		return drawn.note(segment.ids.generate());
	}

	/**
	 * Draws a snowflake.
	 * @param snowflake the source
	 * @param drawn where the ID is noted
	 * @return the ID
	 */
	@Benchmark
	public long snowflake(Snowflake snowflake, Drawn drawn) {
		return drawn.note(snowflake.ids.generate());
	}

	// the numbers begin at 1 and have no gap, so one more draw tells how many there were
	private static void watch(SegmentId ids, Ledger ledger) {
		ledger.peer();
		ledger.source(() -> ids.generate() - 1);
	}

	/**
	 * A chain of segments.
	 */
	@State(Scope.Benchmark)
	public static class Chain {

		private final SegmentChainId ids = new SegmentChainId(new IdSegmentDistributor.Atomic(STEP));

		/**
		 * Sets the source.
		 * @param ledger what checks the IDs
		 */
		@Setup
		public void setUp(Ledger ledger) {
			watch(this.ids, ledger);
		}

	}

	/**
	 * One segment, whose successor is fetched by the caller that finds it used up.
	 */
	@State(Scope.Benchmark)
	public static class Segment {

		private final DefaultSegmentId ids = new DefaultSegmentId(new IdSegmentDistributor.Atomic(STEP));

		/**
		 * Sets the source.
		 * @param ledger what checks the IDs
		 */
		@Setup
		public void setUp(Ledger ledger) {
			watch(this.ids, ledger);
		}

	}

	/**
	 * Snowflakes of 41, 10 and 12 bits.
	 */
	@State(Scope.Benchmark)
	public static class Snowflake {

		private final MillisecondSnowflakeId ids = new MillisecondSnowflakeId(MACHINE_ID);

		/**
		 * Tells whose IDs they are.
		 * @param ledger what checks the IDs
		 */
		@Setup
		public void setUp(Ledger ledger) {
			ledger.peer();
		}

	}

}
