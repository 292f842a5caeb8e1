// SPDX-License-Identifier: Apache-2.0

package io.leaf.simulation;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
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

	private final Map<Long, @Nullable LeaseRegister> previous = new HashMap<>();

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
		if (version(workerId) == lease.version()) {
			// what is sent twice is one write, and confirmed now
			this.previous.put(workerId, this.registers.get(workerId));
			return true;
		}
		return expected == version(workerId) && put(workerId, lease);
	}

	private boolean put(long workerId, WorkerLease lease) {
		LeaseRegister before = this.registers.get(workerId);
		this.claims.written(workerId, before, lease);
		this.previous.put(workerId, before);
		this.registers.put(workerId, new LeaseRegister(workerId, lease, clock(), null));
		return true;
	}

	/**
	 * Loses a write that was not answered, unless another was made on top of it.
	 */
	void undo(long workerId, WorkerLease lease) {
		LeaseRegister before = this.previous.get(workerId);
		if (version(workerId) == lease.version() && before != this.registers.get(workerId)) {
			this.claims.undone(lease, before);
			set(workerId, before);
		}
	}

	Map<Long, LeaseRegister> backup() {
		return new TreeMap<>(this.registers);
	}

	/**
	 * Goes on with an older state.
	 */
	void restore(Map<Long, LeaseRegister> backup) {
		for (long workerId = 0; workerId <= this.layout.maxWorkerId(); workerId++) {
			lose(workerId, backup.get(workerId));
		}
	}

	/**
	 * Loses what a register says.
	 * @param older what it says then
	 */
	void lose(long workerId, @Nullable LeaseRegister older) {
		if (this.registers.get(workerId) != older) {
			this.claims.forgotten(workerId, older);
			set(workerId, older);
		}
	}

	private void set(long workerId, @Nullable LeaseRegister register) {
		this.previous.put(workerId, register);
		if (register != null) {
			this.registers.put(workerId, register);
		}
		else {
			this.registers.remove(workerId);
		}
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
