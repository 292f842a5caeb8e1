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
package io.leaf.snowflake.lease;

import java.util.Objects;

/**
 * Leases whose version is the same for the same content, so that tests can compare them.
 */
public final class TestLeases {

	private TestLeases() {
	}

	/**
	 * Returns a lease.
	 */
	public static WorkerLease lease(String owner, long horizon, String host, long since, long reported) {
		long hash = Objects.hash(owner, horizon, host, since, reported);
		long version = Math.floorMod(hash * 0x9e3779b97f4a7c15L, WorkerLease.MAX_VERSION);
		return new WorkerLease(owner, horizon, host, since, reported, version);
	}

}
