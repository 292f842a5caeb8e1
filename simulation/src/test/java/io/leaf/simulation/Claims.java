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

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.leaf.snowflake.lease.LeaseRegister;
import io.leaf.snowflake.lease.WorkerLease;
import org.jspecify.annotations.Nullable;

/**
 * Which timestamps of which worker ID belong to whom, as the registers have said it, and
 * who has used them.
 */
final class Claims {

	private final Map<String, Claim> byOwner = new HashMap<>();

	private final Map<Process, List<String>> owners = new HashMap<>();

	/**
	 * Notes that a process may act for a claim: it has sent it, or has found it in its
	 * state file.
	 */
	void actsFor(Process process, String owner) {
		List<String> known = this.owners.computeIfAbsent(process, (key) -> new ArrayList<>());
		if (!known.contains(owner)) {
			known.add(owner);
		}
	}

	/**
	 * Notes what a register has come to say.
	 */
	void written(long workerId, @Nullable LeaseRegister before, WorkerLease lease) {
		if (before != null && !before.lease().owner().equals(lease.owner()) && lease.isReleased()) {
			Claim released = this.byOwner.get(before.lease().owner());
			if (released != null) {
				released.horizon = lease.horizon();
			}
		}
		if (!lease.isReleased()) {
			Claim claim = this.byOwner.computeIfAbsent(lease.owner(),
					(owner) -> new Claim(workerId, (before != null) ? before.lease().horizon() : -1));
			claim.horizon = Math.max(claim.horizon, lease.horizon());
		}
	}

	/**
	 * Notes that a timestamp is used.
	 * @return what is wrong with that, or {@code null}
	 */
	@Nullable String use(Process process, long workerId, long timestamp) {
		for (String owner : this.owners.getOrDefault(process, List.of())) {
			Claim claim = this.byOwner.get(owner);
			if (claim != null && claim.workerId == workerId && claim.floor < timestamp && timestamp <= claim.horizon) {
				return claim.use(process, timestamp);
			}
		}
		return "belongs to none of its claims";
	}

	private static final class Claim {

		private final long workerId;

		private final long floor;

		private long horizon;

		private @Nullable Process user;

		private long used;

		Claim(long workerId, long floor) {
			this.workerId = workerId;
			this.floor = floor;
			this.horizon = floor;
		}

		@Nullable String use(Process process, long timestamp) {
			Process before = this.user;
			if (before != null && before != process && timestamp <= this.used) {
				return "has a timestamp that belongs to " + before.name();
			}
			this.user = process;
			this.used = Math.max(this.used, timestamp);
			return null;
		}

	}

}
