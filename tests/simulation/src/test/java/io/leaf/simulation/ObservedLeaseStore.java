// SPDX-License-Identifier: Apache-2.0

package io.leaf.simulation;

import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Supplier;

import io.leaf.snowflake.SnowflakeLayout;
import io.leaf.snowflake.lease.Lease;
import io.leaf.snowflake.lease.LeaseRecord;
import io.leaf.snowflake.lease.WorkerLeaseStore;
import io.leaf.snowflake.lease.WorkerLeaseStoreException;
import org.jspecify.annotations.Nullable;

/**
 * Observes the requests of one process to the store of the leases, which the process uses
 * itself or through Leaf servers.
 */
final class ObservedLeaseStore implements WorkerLeaseStore {

	private final Process process;

	private final Claims claims;

	private final WorkerLeaseStore store;

	private @Nullable List<LeaseRecord> lastRead;

	private boolean releasing;

	private Runnable back = () -> {
	};

	ObservedLeaseStore(Process process, Claims claims, WorkerLeaseStore store) {
		this.process = process;
		this.claims = claims;
		this.store = store;
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
		ask(() -> {
			this.store.open(layout);
			return true;
		});
	}

	@Override
	public List<LeaseRecord> readAll() {
		List<LeaseRecord> read = ask(this.store::readAll);
		this.lastRead = read;
		return read;
	}

	@Override
	public @Nullable LeaseRecord read(long workerId) {
		LeaseRecord record = ask(() -> this.store.read(workerId));
		// a read for the release of a former claim shows nothing to the present claim
		if (!this.releasing) {
			this.claims.shown(this.process, workerId, record);
		}
		return record;
	}

	@Override
	public boolean write(long workerId, long version, Lease lease) {
		this.releasing = lease.isReleased();
		if (this.claims.sent(this.process, workerId, lease)
				&& lease.reported() != this.process.wallClock().instant().toEpochMilli()) {
			this.process.world()
				.violated("%s reports %d, which is not what its wall clock shows".formatted(this.process.name(),
						lease.reported()));
		}
		boolean written = this.store.write(workerId, version, lease);
		if (written) {
			this.claims.confirmed(this.process, workerId, lease);
		}
		return written;
	}

	@Override
	public OptionalLong newWorkerId(Set<Long> except) {
		return ask(() -> this.store.newWorkerId(except));
	}

	@Override
	public OptionalLong currentTime() {
		return ask(this.store::currentTime);
	}

	/**
	 * Returns the lease records that were read last, or {@code null} if none were read or
	 * if the store could not be reached since.
	 */
	@Nullable List<LeaseRecord> lastRead() {
		return this.lastRead;
	}

	@Override
	public void whenBack(Runnable action) {
		this.back = action;
	}

	/**
	 * Notifies the process that the store can be reached again.
	 */
	void isBack() {
		if (this.process.isAlive()) {
			this.back.run();
		}
	}

	private <T extends @Nullable Object> T ask(Supplier<T> request) {
		try {
			return request.get();
		}
		catch (WorkerLeaseStoreException ex) {
			this.lastRead = null;
			throw ex;
		}
	}

	@Override
	public void close() {
		this.store.close();
	}

}
