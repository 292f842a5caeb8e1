// SPDX-License-Identifier: Apache-2.0

package io.leaf.benchmarks.generator;

import java.util.Map;

import io.leaf.benchmarks.BatchBenchmark;
import io.leaf.benchmarks.LimitsBenchmark;
import io.leaf.benchmarks.SegmentBenchmark;
import io.leaf.benchmarks.SnowflakeBenchmark;
import io.leaf.benchmarks.StoreBenchmark;
import io.leaf.benchmarks.StripedBenchmark;
import io.leaf.benchmarks.peer.CosIdBenchmark;
import io.leaf.benchmarks.peer.HibernateBenchmark;
import io.leaf.benchmarks.peer.HutoolBenchmark;
import io.leaf.benchmarks.peer.TsidBenchmark;
import io.leaf.benchmarks.peer.UuidBenchmark;
import io.leaf.benchmarks.peer.YitterBenchmark;

/**
 * The JMH benchmarks in the order in which they run. Benchmarks that are compared with
 * each other are next to each other, so that other load on the machine affects both.
 */
public enum Subject {

	STRICT_BY_KEY("`IdGenerator.nextId(key)`", Family.SEGMENT, Origin.LEAF, SegmentBenchmark.class, "strictByKey"),

	STRICT("`IdSequence.nextId()`", Family.SEGMENT, Origin.LEAF, SegmentBenchmark.class, "strict"),

	ATOMIC_LONG("`AtomicLong.getAndIncrement`", Family.SEGMENT, Origin.LIMIT, LimitsBenchmark.class, "atomicLong"),

	STRIPED("`IdSequence.nextId()`, striped", Family.SEGMENT, Origin.LEAF, StripedBenchmark.class, "striped"),

	STRICT_ON_TABLE("`IdSequence.nextId()`, segments from MySQL", Family.SEGMENT, Origin.LEAF, StoreBenchmark.class,
			"nextId", Map.of("server", "false"), 1),

	STRICT_ON_SERVER("`IdSequence.nextId()`, segments from a Leaf server", Family.SEGMENT, Origin.LEAF,
			StoreBenchmark.class, "nextId", Map.of("server", "true"), 1),

	STRICT_BATCH("`IdSequence.nextIds(1000)`", Family.SEGMENT, Origin.LEAF, BatchBenchmark.class, "thousand", Map.of(),
			1000),

	ARRAY_OF_1000("`AtomicLong.getAndAdd(1000)` and an array of 1,000", Family.SEGMENT, Origin.LIMIT,
			LimitsBenchmark.class, "thousand", Map.of(), 1000),

	COSID_CHAIN("CosId `SegmentChainId`", Family.SEGMENT, Origin.PEER, CosIdBenchmark.class, "chain"),

	COSID_SEGMENT("CosId `DefaultSegmentId`", Family.SEGMENT, Origin.PEER, CosIdBenchmark.class, "segment"),

	POOLED_LO("Hibernate pooled-lo", Family.SEGMENT, Origin.PEER, HibernateBenchmark.class, "pooledLo"),

	BURST_4("burst with 4 lanes", Family.SNOWFLAKE, Origin.LEAF, SnowflakeBenchmark.class, "snowflake", lanes(4), 1),

	BURST_2("burst with 2 lanes", Family.SNOWFLAKE, Origin.LEAF, SnowflakeBenchmark.class, "snowflake", lanes(2), 1),

	CLOCK("`System.currentTimeMillis`", Family.SNOWFLAKE, Origin.LIMIT, LimitsBenchmark.class, "currentTimeMillis"),

	BURST_1("burst with 1 lane", Family.SNOWFLAKE, Origin.LEAF, SnowflakeBenchmark.class, "snowflake", lanes(1), 1),

	BURST_BATCH("burst with 1 lane, `nextIds(1000)`", Family.SNOWFLAKE, Origin.LEAF, SnowflakeBenchmark.class,
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
	 * Returns the name in the tables, in Markdown.
	 */
	String title() {
		return this.title;
	}

	/**
	 * Returns the table in which it is shown.
	 */
	Family family() {
		return this.family;
	}

	/**
	 * Returns the origin of the generator.
	 */
	Origin origin() {
		return this.origin;
	}

	/**
	 * Returns the JMH name of the benchmark: class and method.
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
	 * Returns the number of IDs per call.
	 */
	int idsPerCall() {
		return this.idsPerCall;
	}

	/**
	 * Benchmarks that are shown in one table, with the upper limit that they are compared
	 * with.
	 */
	public enum Family {

		SEGMENT, SNOWFLAKE;

		/**
		 * Returns the upper limit, whose ratio is 1.00 in the table.
		 */
		Subject limit() {
			return switch (this) {
				case SEGMENT -> ATOMIC_LONG;
				case SNOWFLAKE -> CLOCK;
			};
		}

	}

	/**
	 * The origin of a generator.
	 */
	enum Origin {

		/** This library. A duplicate ID or a failure ends the run. */
		LEAF,

		/** Another library. A duplicate ID or a failure is shown in the table. */
		PEER,

		/** The upper limit of any generator. A duplicate ID or a failure ends the run. */
		LIMIT

	}

}
