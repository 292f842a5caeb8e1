// SPDX-License-Identifier: Apache-2.0

package io.leaf.benchmarks.report;

import java.util.Map;

import io.leaf.benchmarks.BatchBenchmark;
import io.leaf.benchmarks.LimitsBenchmark;
import io.leaf.benchmarks.SegmentBenchmark;
import io.leaf.benchmarks.SnowflakeBenchmark;
import io.leaf.benchmarks.StripedBenchmark;
import io.leaf.benchmarks.peer.CosIdBenchmark;
import io.leaf.benchmarks.peer.HibernateBenchmark;
import io.leaf.benchmarks.peer.HutoolBenchmark;
import io.leaf.benchmarks.peer.TsidBenchmark;
import io.leaf.benchmarks.peer.UuidBenchmark;
import io.leaf.benchmarks.peer.YitterBenchmark;

/**
 * What JMH measures, in the order of measuring: what is compared stands close together,
 * so that the machine's moods hit both alike.
 */
enum Subject {

	STRICT_BY_KEY("`IdGenerator.nextId(key)`", Family.SEGMENT, Origin.OURS, SegmentBenchmark.class, "strictByKey"),

	STRICT("`IdSequence.nextId()`", Family.SEGMENT, Origin.OURS, SegmentBenchmark.class, "strict"),

	ATOMIC_LONG("`AtomicLong.getAndIncrement`", Family.SEGMENT, Origin.LIMIT, LimitsBenchmark.class, "atomicLong"),

	STRIPED("`IdSequence.nextId()`, striped", Family.SEGMENT, Origin.OURS, StripedBenchmark.class, "striped"),

	STRICT_BATCH("`IdSequence.nextIds(1000)`", Family.SEGMENT, Origin.OURS, BatchBenchmark.class, "thousand", Map.of(),
			1000),

	ARRAY_OF_1000("`AtomicLong.getAndAdd(1000)` and an array of 1,000", Family.SEGMENT, Origin.LIMIT,
			LimitsBenchmark.class, "thousand", Map.of(), 1000),

	COSID_CHAIN("CosId `SegmentChainId`", Family.SEGMENT, Origin.PEER, CosIdBenchmark.class, "chain"),

	COSID_SEGMENT("CosId `DefaultSegmentId`", Family.SEGMENT, Origin.PEER, CosIdBenchmark.class, "segment"),

	POOLED_LO("Hibernate pooled-lo", Family.SEGMENT, Origin.PEER, HibernateBenchmark.class, "pooledLo"),

	BURST_4("burst, 4 lanes", Family.SNOWFLAKE, Origin.OURS, SnowflakeBenchmark.class, "snowflake", lanes(4), 1),

	BURST_2("burst, 2 lanes", Family.SNOWFLAKE, Origin.OURS, SnowflakeBenchmark.class, "snowflake", lanes(2), 1),

	CLOCK("`System.currentTimeMillis`", Family.SNOWFLAKE, Origin.LIMIT, LimitsBenchmark.class, "currentTimeMillis"),

	BURST_1("burst, 1 lane", Family.SNOWFLAKE, Origin.OURS, SnowflakeBenchmark.class, "snowflake", lanes(1), 1),

	BURST_BATCH("burst, 1 lane, `nextIds(1000)`", Family.SNOWFLAKE, Origin.OURS, SnowflakeBenchmark.class,
			"snowflakeBatchOf1000", lanes(1), 1000),

	TSID_CREATOR("tsid-creator", Family.SNOWFLAKE, Origin.PEER, TsidBenchmark.class, "tsidCreator"),

	HYPERSISTENCE_TSID("hypersistence-tsid", Family.SNOWFLAKE, Origin.PEER, TsidBenchmark.class, "hypersistenceTsid"),

	COSID_SNOWFLAKE("CosId `MillisecondSnowflakeId`", Family.SNOWFLAKE, Origin.PEER, CosIdBenchmark.class, "snowflake"),

	HUTOOL("Hutool `Snowflake`", Family.SNOWFLAKE, Origin.PEER, HutoolBenchmark.class, "snowflake"),

	YITTER("yitter", Family.SNOWFLAKE, Origin.PEER, YitterBenchmark.class, "snowflake"),

	RANDOM_UUID("`UUID.randomUUID`", Family.SNOWFLAKE, Origin.PEER, UuidBenchmark.class, "randomUuid");

	private final String title;

	private final Family family;

	private final Origin origin;

	private final String benchmark;

	private final Map<String, String> parameters;

	private final int idsPerCall;

	Subject(String title, Family family, Origin origin, Class<?> type, String method) {
		this(title, family, origin, type, method, Map.of(), 1);
	}

	Subject(String title, Family family, Origin origin, Class<?> type, String method, Map<String, String> parameters,
			int idsPerCall) {
		this.title = title;
		this.family = family;
		this.origin = origin;
		this.benchmark = type.getName() + "." + method;
		this.parameters = parameters;
		this.idsPerCall = idsPerCall;
	}

	private static Map<String, String> lanes(int lanes) {
		return Map.of("lanes", Integer.toString(lanes), "lead", "PT1H");
	}

	/**
	 * Returns how the page calls it, in Markdown.
	 */
	String title() {
		return this.title;
	}

	/**
	 * Returns what it is shown with.
	 */
	Family family() {
		return this.family;
	}

	/**
	 * Returns whose it is.
	 */
	Origin origin() {
		return this.origin;
	}

	/**
	 * Returns the class and the method that JMH runs.
	 */
	String benchmark() {
		return this.benchmark;
	}

	/**
	 * Returns the values of the benchmark's parameters.
	 */
	Map<String, String> parameters() {
		return this.parameters;
	}

	/**
	 * Returns how many IDs a call draws.
	 */
	int idsPerCall() {
		return this.idsPerCall;
	}

	/**
	 * What is shown together, and the limit that it is shown against.
	 */
	enum Family {

		SEGMENT, SNOWFLAKE;

		/**
		 * Returns what stands at 1.00 in the family's table.
		 */
		Subject limit() {
			return switch (this) {
				case SEGMENT -> ATOMIC_LONG;
				case SNOWFLAKE -> CLOCK;
			};
		}

	}

	/**
	 * Whose work something is.
	 */
	enum Origin {

		/** This library's. What it gets wrong ends the run. */
		OURS,

		/** Another library's. What it gets wrong is written down. */
		PEER,

		/** Nobody's: what no generator can pass. */
		LIMIT

	}

}
