// SPDX-License-Identifier: Apache-2.0

package io.leaf.actuate;

import java.util.List;
import java.util.OptionalLong;
import java.util.Set;

import io.leaf.snowflake.SnowflakeLayout;
import io.leaf.snowflake.lease.LeaseRegister;
import io.leaf.snowflake.lease.WorkerLease;
import io.leaf.snowflake.lease.WorkerLeaseStore;
import org.jspecify.annotations.Nullable;

/**
 * A store of leases whose writes are observed.
 */
final class ObservedWorkerLeaseStore implements WorkerLeaseStore {

	private final WorkerLeaseStore store;

	private final StoreObservations observations;

	ObservedWorkerLeaseStore(WorkerLeaseStore store, StoreObservations observations) {
		this.store = store;
		this.observations = observations;
	}

	@Override
	public boolean write(long workerId, long version, WorkerLease lease) {
		return this.observations.lease(this.store.source(), operation(lease), workerId)
			.observe(() -> this.store.write(workerId, version, lease));
	}

	private static String operation(WorkerLease lease) {
		if (lease.isReleased()) {
			return "release";
		}
		return (lease.since() == lease.reported()) ? "claim" : "renew";
	}

	@Override
	public String source() {
		return this.store.source();
	}

	@Override
	public @Nullable String identity() {
		return this.store.identity();
	}

	@Override
	public boolean isShared() {
		return this.store.isShared();
	}

	@Override
	public long firstWorkerId() {
		return this.store.firstWorkerId();
	}

	@Override
	public void open(SnowflakeLayout layout) {
		this.store.open(layout);
	}

	@Override
	public List<LeaseRegister> readAll() {
		return this.store.readAll();
	}

	@Override
	public @Nullable LeaseRegister read(long workerId) {
		return this.store.read(workerId);
	}

	@Override
	public OptionalLong newWorkerId(Set<Long> except) {
		return this.store.newWorkerId(except);
	}

	@Override
	public OptionalLong currentTime() {
		return this.store.currentTime();
	}

	@Override
	public void whenBack(Runnable action) {
		this.store.whenBack(action);
	}

	@Override
	public void close() {
		this.store.close();
	}

}
