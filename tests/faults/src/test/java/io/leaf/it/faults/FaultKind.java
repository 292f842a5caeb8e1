// SPDX-License-Identifier: Apache-2.0

package io.leaf.it.faults;

/**
 * The kinds of faults.
 */
enum FaultKind {

	DATABASE_STOPPED("database stopped gracefully"),

	DATABASE_KILLED("database killed"),

	DATABASE_FROZEN("database frozen"),

	DATABASE_STALLED("network to the database stalled"),

	DATABASE_RESET("network to the database reset"),

	DATABASE_REQUESTS_LOST("requests to the database lost"),

	DATABASE_ANSWERS_LOST("answers of the database lost"),

	DATABASE_ANSWER_CUT("connection cut at an answer of the database"),

	DATABASE_DOWN_LONGER_THAN_LEASES("database unavailable for longer than leases last"),

	DATABASE_DOWN_AT_RESTART("process killed and restarted while the database that holds its lease is unavailable"),

	ZOOKEEPER_STOPPED("ZooKeeper stopped gracefully"),

	ZOOKEEPER_KILLED("ZooKeeper killed"),

	ZOOKEEPER_FROZEN("ZooKeeper frozen"),

	ZOOKEEPER_STALLED("network to ZooKeeper stalled"),

	ZOOKEEPER_RESET("network to ZooKeeper reset"),

	ZOOKEEPER_REQUESTS_LOST("requests to ZooKeeper lost"),

	ZOOKEEPER_ANSWERS_LOST("answers of ZooKeeper lost"),

	ZOOKEEPER_ANSWER_CUT("connection cut at an answer of ZooKeeper"),

	ZOOKEEPER_DOWN_LONGER_THAN_LEASES("ZooKeeper unavailable for longer than leases last"),

	ZOOKEEPER_DOWN_AT_RESTART("process killed and restarted while ZooKeeper, which holds its lease, is unavailable"),

	PROCESS_KILLED("process killed and restarted"),

	PROCESS_PAUSED("process paused for longer than session and lease"),

	WALL_CLOCK_BACK("wall clock set back, and corrected"),

	WALL_CLOCK_FORWARD("wall clock set forward, and corrected"),

	BOTH_CLOCKS_BACK("wall and monotonic clock set back, and corrected"),

	BOTH_CLOCKS_FORWARD("wall and monotonic clock set forward, and corrected"),

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
