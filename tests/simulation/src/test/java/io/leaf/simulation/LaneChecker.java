// SPDX-License-Identifier: Apache-2.0

package io.leaf.simulation;

import io.leaf.snowflake.SnowflakeId;

/**
 * Checks snowflake IDs: no two processes use the same timestamp of a worker ID, and no
 * process passes the horizon of its lease record.
 */
final class LaneChecker extends IdChecker {

	private final LeaseWorld world;

	private final Process process;

	LaneChecker(Process process, LeaseWorld world) {
		super(process, world.snowflakeSettings().maxLanes() == 1);
		this.world = world;
		this.process = process;
	}

	@Override
	void check(long id, long asked) {
		SnowflakeId decoded = this.world.snowflakeSettings().layout().decode(id);
		long timestamp = decoded.timestamp().toEpochMilli();
		String wrong = this.world.claims().use(this.process, id, decoded.workerId(), timestamp, asked);
		if (wrong != null) {
			violated(id, wrong + ": " + decoded);
		}
	}

}
