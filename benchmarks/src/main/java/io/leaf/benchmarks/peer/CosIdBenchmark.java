// SPDX-License-Identifier: Apache-2.0

package io.leaf.benchmarks.peer;

import io.leaf.benchmarks.DrawnIds;
import io.leaf.benchmarks.IdCheck;
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
 * CosId. The segments come from CosId's own counter in memory, with the step of
 * {@code SegmentBenchmark}. Everything else has CosId's defaults: a chain that keeps two
 * segments ahead, or more under load, and is filled by CosId's prefetch workers.
 */
public class CosIdBenchmark {

	private static final long STEP = 1_000_000;

	private static final int MACHINE_ID = 1;

	/**
	 * Draws an ID from a chain of segments.
	 * @param chain the generator
	 * @param drawn the record of the IDs
	 * @return the ID
	 */
	@Benchmark
	public long chain(Chain chain, DrawnIds drawn) {
		return drawn.record(chain.ids.generate());
	}

	/**
	 * Draws an ID from a segment.
	 * @param segment the generator
	 * @param drawn the record of the IDs
	 * @return the ID
	 */
	@Benchmark
	public long segment(Segment segment, DrawnIds drawn) {
		return drawn.record(segment.ids.generate());
	}

	/**
	 * Draws an ID.
	 * @param snowflake the generator
	 * @param drawn the record of the IDs
	 * @return the ID
	 */
	@Benchmark
	public long snowflake(Snowflake snowflake, DrawnIds drawn) {
		return drawn.record(snowflake.ids.generate());
	}

	// the numbers begin at 1 and have no gaps: another ID shows how many were issued
	private static void connect(SegmentId ids, IdCheck check) {
		check.peer();
		check.issuedBy(() -> ids.generate() - 1);
	}

	/**
	 * A chain of segments.
	 */
	@State(Scope.Benchmark)
	public static class Chain {

		private final SegmentChainId ids = new SegmentChainId(new IdSegmentDistributor.Atomic(STEP));

		/**
		 * Connects the generator with the check.
		 * @param check the check of the IDs
		 */
		@Setup
		public void setUp(IdCheck check) {
			connect(this.ids, check);
		}

	}

	/**
	 * One segment. The caller that finds it used up fetches the next one.
	 */
	@State(Scope.Benchmark)
	public static class Segment {

		private final DefaultSegmentId ids = new DefaultSegmentId(new IdSegmentDistributor.Atomic(STEP));

		/**
		 * Connects the generator with the check.
		 * @param check the check of the IDs
		 */
		@Setup
		public void setUp(IdCheck check) {
			connect(this.ids, check);
		}

	}

	/**
	 * Snowflake IDs of 41, 10 and 12 bits.
	 */
	@State(Scope.Benchmark)
	public static class Snowflake {

		private final MillisecondSnowflakeId ids = new MillisecondSnowflakeId(MACHINE_ID);

		/**
		 * Marks the IDs as those of a peer.
		 * @param check the check of the IDs
		 */
		@Setup
		public void setUp(IdCheck check) {
			check.peer();
		}

	}

}
