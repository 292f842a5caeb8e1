/*
 * Copyright 2026 the Leaf project authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *      https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */

package io.leaf.simulation;

import io.leaf.snowflake.SnowflakeId;

/**
 * Checks snowflake IDs: no two processes use the same timestamp of a worker ID, and
 * nobody passes what a register has stated.
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
