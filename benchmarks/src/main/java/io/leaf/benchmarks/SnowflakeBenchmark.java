// SPDX-License-Identifier: Apache-2.0

package io.leaf.benchmarks;

import java.time.Duration;
import java.time.InstantSource;

import io.leaf.IdSequence;
import io.leaf.snowflake.GeneratorClock;
import io.leaf.snowflake.SnowflakeIdGenerator;
import io.leaf.snowflake.SnowflakeLanes;
import io.leaf.snowflake.SnowflakeLayout;
import io.leaf.snowflake.SnowflakeSettings;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * Snowflake mode. Within the lead, the processor limits the rate; once the lead is used
 * up, the layout does.
 */
@State(Scope.Benchmark)
public class SnowflakeBenchmark {

	private static final Duration HORIZON = Duration.ofHours(2);

	/**
	 * The number of worker IDs that the process holds.
	 */
	@Param({ "1", "2", "4" })
	public int lanes;

	/**
	 * How far timestamps may run ahead of the clock. A lead of one hour is never used up.
	 */
	@Param({ "PT0.1S", "PT1H" })
	public String lead = "";

	@SuppressWarnings("NullAway.Init") // set by setUp, which JMH calls
	private IdSequence sequence;

	/**
	 * Creates the lanes.
	 */
	@Setup
	public void setUp() {
		GeneratorClock clock = new GeneratorClock(InstantSource.system(), System::nanoTime, Duration.ofSeconds(10));
		SnowflakeLanes lanes = new SnowflakeLanes(new SnowflakeSettings(SnowflakeLayout.LEAF, Duration.parse(this.lead),
				this.lanes, Duration.ofSeconds(2)), clock);
		for (int workerId = 0; workerId < this.lanes; workerId++) {
			lanes.add(workerId, 0, clock.millis() + HORIZON.toMillis());
		}
		this.sequence = new SnowflakeIdGenerator(lanes).sequence("order");
	}

	/**
	 * Draws an ID.
	 * @param drawn the record of the IDs
	 * @return the ID
	 */
	@Benchmark
	public long snowflake(DrawnIds drawn) {
		return drawn.record(this.sequence.nextId());
	}

	/**
	 * Draws a batch of 1,000 IDs.
	 * @param drawn the record of the IDs
	 * @return the IDs
	 */
	@Benchmark
	public long[] snowflakeBatchOf1000(DrawnIds drawn) {
		return drawn.record(this.sequence.nextIds(1000));
	}

}
