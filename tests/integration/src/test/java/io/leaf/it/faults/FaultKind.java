// SPDX-License-Identifier: Apache-2.0

package io.leaf.it.faults;

/**
 * What can go wrong.
 */
enum FaultKind {

	DATABASE_STOPPED("database stopped in order"),

	DATABASE_KILLED("database killed"),

	DATABASE_FROZEN("database frozen"),

	DATABASE_STALLED("network to the database stalled"),

	DATABASE_RESET("network to the database reset"),

	DATABASE_REQUESTS_LOST("requests to the database lost"),

	DATABASE_ANSWERS_LOST("answers of the database lost"),

	DATABASE_ANSWER_CUT("connection cut at an answer of the database"),

	DATABASE_AWAY_LONGER_THAN_LEASES("database away for longer than leases last"),

	DATABASE_AWAY_AT_RESTART("process killed and started while the database, which has its lease, is away"),

	ZOOKEEPER_STOPPED("ZooKeeper stopped in order"),

	ZOOKEEPER_KILLED("ZooKeeper killed"),

	ZOOKEEPER_FROZEN("ZooKeeper frozen"),

	ZOOKEEPER_STALLED("network to ZooKeeper stalled"),

	ZOOKEEPER_RESET("network to ZooKeeper reset"),

	ZOOKEEPER_REQUESTS_LOST("requests to ZooKeeper lost"),

	ZOOKEEPER_ANSWERS_LOST("answers of ZooKeeper lost"),

	ZOOKEEPER_ANSWER_CUT("connection cut at an answer of ZooKeeper"),

	ZOOKEEPER_AWAY_LONGER_THAN_LEASES("ZooKeeper away for longer than leases last"),

	ZOOKEEPER_AWAY_AT_RESTART("process killed and started while ZooKeeper, which has its lease, is away"),

	PROCESS_KILLED("process killed, and started again"),

	PROCESS_PAUSED("process paused for longer than session and lease"),

	WALL_CLOCK_BACK("wall clock set back, and right again"),

	WALL_CLOCK_FORWARD("wall clock set forward, and right again"),

	BOTH_CLOCKS_BACK("wall and monotonic clock set back, and right again"),

	BOTH_CLOCKS_FORWARD("wall and monotonic clock set forward, and right again"),

	DISK_FULL("disk of the state file full"),

	DISK_FULL_AT_START("process started on a full disk");

	private final String description;

	FaultKind(String description) {
		this.description = description;
	}

	@Override
	public String toString() {
		return this.description;
	}

}
