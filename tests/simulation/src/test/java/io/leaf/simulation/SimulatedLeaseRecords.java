// SPDX-License-Identifier: Apache-2.0

package io.leaf.simulation;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;

import io.leaf.snowflake.SnowflakeLayout;
import io.leaf.snowflake.lease.Lease;
import io.leaf.snowflake.lease.LeaseRecord;
import io.leaf.snowflake.lease.WorkerLeaseStore;
import org.jspecify.annotations.Nullable;

/**
 * The lease records of all worker IDs, as kept by the store of the leases.
 */
final class SimulatedLeaseRecords extends Server {

	private final World world;

	private final SnowflakeLayout layout;

	private final TreeMap<Long, LeaseRecord> records = new TreeMap<>();

	private final Map<Long, @Nullable LeaseRecord> previous = new HashMap<>();

	private final Claims claims;

	SimulatedLeaseRecords(World world, SnowflakeLayout layout, Claims claims) {
		this.world = world;
		this.layout = layout;
		this.claims = claims;
	}

	List<LeaseRecord> readAll() {
		return List.copyOf(this.records.values());
	}

	@Nullable LeaseRecord read(long workerId) {
		return this.records.get(workerId);
	}

	long version(long workerId) {
		LeaseRecord record = this.records.get(workerId);
		return (record != null) ? record.version() : WorkerLeaseStore.ABSENT;
	}

	boolean write(long workerId, long expected, Lease lease) {
		if (version(workerId) == lease.version()) {
			// a write that is sent twice takes effect once, and is now confirmed
			this.previous.put(workerId, this.records.get(workerId));
			return true;
		}
		return expected == version(workerId) && put(workerId, lease);
	}

	private boolean put(long workerId, Lease lease) {
		LeaseRecord before = this.records.get(workerId);
		this.claims.written(workerId, before, lease);
		this.previous.put(workerId, before);
		this.records.put(workerId, new LeaseRecord(workerId, lease, clock(), null));
		return true;
	}

	/**
	 * Records that a write was answered, so that no failover loses it. A repetition of
	 * this write may still be under way.
	 */
	void answered(long workerId, Lease lease) {
		if (version(workerId) == lease.version()) {
			this.previous.put(workerId, this.records.get(workerId));
		}
	}

	/**
	 * Loses a write that was not answered, unless another write has followed it.
	 */
	void undo(long workerId, Lease lease) {
		LeaseRecord before = this.previous.get(workerId);
		if (version(workerId) == lease.version() && before != this.records.get(workerId)) {
			this.claims.undone(lease, before);
			set(workerId, before);
		}
	}

	Map<Long, LeaseRecord> backup() {
		return new TreeMap<>(this.records);
	}

	/**
	 * Returns all lease records to an earlier state.
	 */
	void restore(Map<Long, LeaseRecord> backup) {
		for (long workerId = 0; workerId <= this.layout.maxWorkerId(); workerId++) {
			lose(workerId, backup.get(workerId));
		}
	}

	/**
	 * Loses the content of a lease record.
	 * @param older its content from then on, or {@code null} if the record is then
	 * missing
	 */
	void lose(long workerId, @Nullable LeaseRecord older) {
		if (this.records.get(workerId) != older) {
			this.claims.forgotten(workerId, older);
			set(workerId, older);
		}
	}

	private void set(long workerId, @Nullable LeaseRecord record) {
		this.previous.put(workerId, record);
		if (record != null) {
			this.records.put(workerId, record);
		}
		else {
			this.records.remove(workerId);
		}
	}

	OptionalLong unused(Set<Long> except) {
		for (long workerId = 0; workerId <= this.layout.maxWorkerId(); workerId++) {
			if (!except.contains(workerId) && !this.records.containsKey(workerId)) {
				return OptionalLong.of(workerId);
			}
		}
		return OptionalLong.empty();
	}

	long clock() {
		return Process.BEGINNING.toEpochMilli() + this.world.millis();
	}

}
