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

package io.leaf.snowflake.lease.zookeeper;

import java.util.LinkedHashMap;
import java.util.Map;

import io.leaf.snowflake.lease.WorkerLease;

/**
 * The content of a node below {@code leases}. When it was reported stands in the node
 * below {@code forever}.
 */
final class LeaseCodec {

	private LeaseCodec() {
	}

	static byte[] write(WorkerLease lease) {
		Map<String, Object> fields = new LinkedHashMap<>();
		fields.put("owner", lease.owner());
		fields.put("horizon", lease.horizon());
		fields.put("host", lease.host());
		fields.put("since", lease.since());
		return FlatJson.write(fields);
	}

	/**
	 * Reads a lease. Fields that it does not know are of a later version, and ignored.
	 * @param content what the node holds
	 * @return the lease, as if reported when it was claimed
	 * @throws IllegalArgumentException if the owner or the horizon cannot be read
	 */
	static WorkerLease read(byte[] content) {
		Map<String, String> fields = FlatJson.read(content);
		String owner = fields.get("owner");
		if (owner == null) {
			throw new IllegalArgumentException("field owner is missing");
		}
		long since = fields.containsKey("since") ? FlatJson.time(fields, "since") : 0;
		return new WorkerLease(owner, FlatJson.time(fields, "horizon"), fields.getOrDefault("host", ""), since, since);
	}

}
