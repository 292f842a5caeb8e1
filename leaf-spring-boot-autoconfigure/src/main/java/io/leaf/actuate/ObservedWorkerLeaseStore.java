// SPDX-License-Identifier: Apache-2.0

package io.leaf.actuate;

import java.util.List;
import java.util.OptionalLong;
import java.util.Set;

import io.leaf.snowflake.SnowflakeLayout;
import io.leaf.snowflake.lease.Lease;
import io.leaf.snowflake.lease.LeaseRecord;
import io.leaf.snowflake.lease.WorkerLeaseStore;
import org.jspecify.annotations.Nullable;

/**
 * A worker lease store that records an observation of each write of a lease record.
 */
final class ObservedWorkerLeaseStore implements WorkerLeaseStore {

	private final WorkerLeaseStore store;

	private final StoreObservations observations;

	ObservedWorkerLeaseStore(WorkerLeaseStore store, StoreObservations observations) {
		this.store = store;
		this.observations = observations;
	}

	@Override
	public boolean write(long workerId, long version, Lease lease) {
		return this.observations.lease(this.store.source(), operation(lease), workerId)
			.observe(() -> this.store.write(workerId, version, lease));
	}

	private static String operation(Lease lease) {
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
	public List<LeaseRecord> readAll() {
		return this.store.readAll();
	}

	@Override
	public @Nullable LeaseRecord read(long workerId) {
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
