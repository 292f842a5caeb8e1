// SPDX-License-Identifier: Apache-2.0

package io.leaf.server.api;

import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Supplier;

import io.leaf.server.RequestTurns;
import io.leaf.snowflake.SnowflakeLayout;
import io.leaf.snowflake.lease.Lease;
import io.leaf.snowflake.lease.LeaseRecord;
import io.leaf.snowflake.lease.WorkerLeaseStore;

/**
 * The lease records of one {@code leaf.name} of clients. The requests take
 * {@link RequestTurns turns}. The server does not use this class for its own leases, so
 * their renewal needs no turn.
 */
final class LimitedLeaseStore implements WorkerLeaseStore {

	private final WorkerLeaseStore store;

	private final RequestTurns turns;

	private final String name;

	/**
	 * Creates a store.
	 * @param store the store that executes the requests
	 * @param turns gives each request its turn
	 * @param name the {@code leaf.name}
	 */
	LimitedLeaseStore(WorkerLeaseStore store, RequestTurns turns, String name) {
		this.store = store;
		this.turns = turns;
		this.name = name;
	}

	@Override
	public String source() {
		return this.store.source();
	}

	@Override
	public String identity() {
		return this.store.identity();
	}

	@Override
	public void open(SnowflakeLayout layout) {
		read(() -> {
			this.store.open(layout);
			return true;
		});
	}

	@Override
	public List<LeaseRecord> readAll() {
		return read(this.store::readAll);
	}

	@Override
	public LeaseRecord read(long workerId) {
		return read(() -> this.store.read(workerId));
	}

	@Override
	public boolean write(long workerId, long version, Lease lease) {
		return this.turns.run("writes of " + this.name,
				"the lease on worker ID %d of '%s'".formatted(workerId, this.name),
				() -> this.store.write(workerId, version, lease));
	}

	@Override
	public OptionalLong newWorkerId(Set<Long> except) {
		return read(() -> this.store.newWorkerId(except));
	}

	@Override
	public OptionalLong currentTime() {
		return read(this.store::currentTime);
	}

	// Reads have another turn than writes, and each record counts as rows of its own,
	// because a locked record normally blocks only its own writes. If they counted
	// together, a request that succeeds would hide that writes of the record are slow.
	private <T> T read(Supplier<T> request) {
		String turn = "reads of " + this.name;
		return this.turns.run(turn, "the leases of '%s'".formatted(this.name), request);
	}

	@Override
	public void close() {
		this.store.close();
	}

}
