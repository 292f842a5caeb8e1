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
import java.util.function.Supplier;

import io.leaf.simulation.Link.LostAnswer;
import io.leaf.snowflake.SnowflakeLayout;
import io.leaf.snowflake.lease.LeaseRegister;
import io.leaf.snowflake.lease.WorkerLease;
import io.leaf.snowflake.lease.WorkerLeaseStore;
import io.leaf.snowflake.lease.WorkerLeaseStoreException;
import org.jspecify.annotations.Nullable;

/**
 * The store of the leases as one process has it.
 */
final class SimulatedLeaseStore implements WorkerLeaseStore {

	private final Process process;

	private final SimulatedRegisters registers;

	private final Claims claims;

	private final Link link;

	SimulatedLeaseStore(Process process, SimulatedRegisters registers, Claims claims, Link link) {
		this.process = process;
		this.registers = registers;
		this.claims = claims;
		this.link = link;
	}

	@Override
	public String source() {
		return "simulation";
	}

	@Override
	public String identity() {
		return "simulation";
	}

	@Override
	public void open(SnowflakeLayout layout) {
		ask("open", layout, () -> layout);
	}

	@Override
	public List<LeaseRegister> readAll() {
		return ask("read all", "", this.registers::readAll);
	}

	@Override
	public @Nullable LeaseRegister read(long workerId) {
		return ask("read", workerId, () -> this.registers.read(workerId));
	}

	@Override
	public boolean write(long workerId, long version, WorkerLease lease) {
		this.claims.actsFor(this.process, lease.owner());
		try {
			return this.link.write("write", lease, () -> this.registers.write(workerId, version, lease));
		}
		catch (LostAnswer ex) {
			throw new WorkerLeaseStoreException(ex.getMessage(), ex, false);
		}
	}

	@Override
	public OptionalLong newWorkerId(Set<Long> except) {
		return ask("unused worker ID but", except, () -> this.registers.unused(except));
	}

	@Override
	public OptionalLong currentTime() {
		return OptionalLong.of(ask("clock", "", this.registers::clock));
	}

	private <T> T ask(String what, Object about, Supplier<T> effect) {
		try {
			return this.link.read(what, about, effect);
		}
		catch (LostAnswer ex) {
			throw new WorkerLeaseStoreException(ex.getMessage(), ex, false);
		}
	}

	@Override
	public void close() {
	}

}
