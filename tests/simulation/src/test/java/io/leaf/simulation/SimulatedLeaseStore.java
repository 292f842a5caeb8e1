// SPDX-License-Identifier: Apache-2.0

package io.leaf.simulation;

import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import io.leaf.simulation.Link.LostAnswer;
import io.leaf.snowflake.SnowflakeLayout;
import io.leaf.snowflake.lease.Lease;
import io.leaf.snowflake.lease.LeaseRecord;
import io.leaf.snowflake.lease.WorkerLeaseStore;
import io.leaf.snowflake.lease.WorkerLeaseStoreException;
import org.jspecify.annotations.Nullable;

/**
 * The store of the leases, as accessed by one process.
 */
final class SimulatedLeaseStore implements WorkerLeaseStore {

	private static final long LONGEST_FAILOVER = TimeUnit.SECONDS.toNanos(1);

	private static final long LONGEST_REPETITION = TimeUnit.MINUTES.toNanos(1);

	private final Process process;

	private final SimulatedLeaseRecords records;

	private final Link link;

	private final Faults faults;

	SimulatedLeaseStore(Process process, SimulatedLeaseRecords records, Link link, Faults faults) {
		this.process = process;
		this.records = records;
		this.link = link;
		this.faults = faults;
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
	public List<LeaseRecord> readAll() {
		return ask("read all", "", this.records::readAll);
	}

	@Override
	public @Nullable LeaseRecord read(long workerId) {
		return ask("read", workerId, () -> this.records.read(workerId));
	}

	@Override
	public boolean write(long workerId, long version, Lease lease) {
		Supplier<Boolean> effect = () -> this.records.write(workerId, version, lease);
		try {
			boolean written = this.link.write("write", lease, effect);
			if (written) {
				this.records.answered(workerId, lease);
			}
			if (this.faults.happens(Fault.WRITE_REPEATED)) {
				this.process.world().in(this.faults.duration(LONGEST_REPETITION), effect::get);
			}
			return written;
		}
		catch (LostAnswer ex) {
			if (this.records.version(workerId) == lease.version() && this.faults.happens(Fault.UNANSWERED_WRITE_LOST)) {
				this.process.world().in(this.faults.duration(LONGEST_FAILOVER), () -> failOver(workerId, lease));
			}
			throw new WorkerLeaseStoreException(ex.getMessage(), ex, false);
		}
	}

	private void failOver(long workerId, Lease lease) {
		this.process.trace("a failover loses an unanswered write of this process");
		this.records.undo(workerId, lease);
		this.link.cut(true);
		this.process.world().in(this.faults.duration(LONGEST_REPETITION), () -> this.link.cut(false));
	}

	@Override
	public OptionalLong newWorkerId(Set<Long> except) {
		return ask("find unused worker ID except", except, () -> this.records.unused(except));
	}

	@Override
	public OptionalLong currentTime() {
		return OptionalLong.of(ask("clock", "", this.records::clock));
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
