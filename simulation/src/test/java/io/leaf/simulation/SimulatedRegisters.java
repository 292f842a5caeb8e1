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

import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;

import io.leaf.snowflake.SnowflakeLayout;
import io.leaf.snowflake.lease.LeaseRegister;
import io.leaf.snowflake.lease.WorkerLease;
import io.leaf.snowflake.lease.WorkerLeaseStore;
import org.jspecify.annotations.Nullable;

/**
 * The registers of all worker IDs, as the server of the leases has them.
 */
final class SimulatedRegisters extends Server {

	private final World world;

	private final SnowflakeLayout layout;

	private final TreeMap<Long, LeaseRegister> registers = new TreeMap<>();

	private final Claims claims;

	SimulatedRegisters(World world, SnowflakeLayout layout, Claims claims) {
		this.world = world;
		this.layout = layout;
		this.claims = claims;
	}

	List<LeaseRegister> readAll() {
		return List.copyOf(this.registers.values());
	}

	@Nullable LeaseRegister read(long workerId) {
		return this.registers.get(workerId);
	}

	long version(long workerId) {
		LeaseRegister register = this.registers.get(workerId);
		return (register != null) ? register.version() : WorkerLeaseStore.ABSENT;
	}

	boolean write(long workerId, long expected, WorkerLease lease) {
		return expected == version(workerId) && put(workerId, lease);
	}

	private boolean put(long workerId, WorkerLease lease) {
		this.claims.written(workerId, this.registers.get(workerId), lease);
		this.registers.put(workerId, new LeaseRegister(workerId, lease, clock(), null));
		return true;
	}

	OptionalLong unused(Set<Long> except) {
		for (long workerId = 0; workerId <= this.layout.maxWorkerId(); workerId++) {
			if (!except.contains(workerId) && !this.registers.containsKey(workerId)) {
				return OptionalLong.of(workerId);
			}
		}
		return OptionalLong.empty();
	}

	long clock() {
		return Process.BEGINNING.toEpochMilli() + this.world.millis();
	}

}
