// SPDX-License-Identifier: Apache-2.0

package io.leaf.simulation;

import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.TimeUnit;
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

	private static final long LONGEST_FAILOVER = TimeUnit.SECONDS.toNanos(1);

	private static final long LONGEST_REPETITION = TimeUnit.MINUTES.toNanos(1);

	private final Process process;

	private final SimulatedRegisters registers;

	private final Claims claims;

	private final Link link;

	private final Faults faults;

	private @Nullable List<LeaseRegister> lastRead;

	private boolean releasing;

	private Runnable back = () -> {
	};

	SimulatedLeaseStore(Process process, SimulatedRegisters registers, Claims claims, Link link, Faults faults) {
		this.process = process;
		this.registers = registers;
		this.claims = claims;
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
	public List<LeaseRegister> readAll() {
		List<LeaseRegister> read = ask("read all", "", this.registers::readAll);
		this.lastRead = read;
		return read;
	}

	@Override
	public @Nullable LeaseRegister read(long workerId) {
		LeaseRegister register = ask("read", workerId, () -> this.registers.read(workerId));
		// what a former claim reads that is given back is not known to the present one
		if (!this.releasing) {
			this.claims.shown(this.process, workerId, register);
		}
		return register;
	}

	@Override
	public boolean write(long workerId, long version, WorkerLease lease) {
		this.releasing = lease.isReleased();
		if (this.claims.sent(this.process, workerId, lease)
				&& lease.reported() != this.process.wallClock().instant().toEpochMilli()) {
			this.process.world()
				.violated("%s reports %d, which is not what its wall clock shows".formatted(this.process.name(),
						lease.reported()));
		}
		Supplier<Boolean> effect = () -> this.registers.write(workerId, version, lease);
		try {
			boolean written = this.link.write("write", lease, effect);
			if (written) {
				this.claims.confirmed(this.process, workerId, lease);
			}
			if (this.faults.happens(Fault.WRITE_REPEATED)) {
				this.process.world().in(this.faults.duration(LONGEST_REPETITION), effect::get);
			}
			return written;
		}
		catch (LostAnswer ex) {
			if (this.registers.version(workerId) == lease.version()
					&& this.faults.happens(Fault.UNANSWERED_WRITE_LOST)) {
				this.process.world().in(this.faults.duration(LONGEST_FAILOVER), () -> failOver(workerId, lease));
			}
			throw new WorkerLeaseStoreException(ex.getMessage(), ex, false);
		}
	}

	private void failOver(long workerId, WorkerLease lease) {
		this.process.trace("a failover loses its write");
		this.registers.undo(workerId, lease);
		this.link.cut(true);
		this.process.world().in(this.faults.duration(LONGEST_REPETITION), () -> this.link.cut(false));
	}

	@Override
	public OptionalLong newWorkerId(Set<Long> except) {
		return ask("unused worker ID but", except, () -> this.registers.unused(except));
	}

	@Override
	public OptionalLong currentTime() {
		return OptionalLong.of(ask("clock", "", this.registers::clock));
	}

	/**
	 * Returns what all registers said when they were read last, or {@code null} if the
	 * store could not be reached since.
	 */
	@Nullable List<LeaseRegister> lastRead() {
		return this.lastRead;
	}

	@Override
	public void whenBack(Runnable action) {
		this.back = action;
	}

	/**
	 * Tells the process that the store can be reached again.
	 */
	void isBack() {
		if (this.process.isAlive()) {
			this.back.run();
		}
	}

	private <T> T ask(String what, Object about, Supplier<T> effect) {
		try {
			return this.link.read(what, about, effect);
		}
		catch (LostAnswer ex) {
			this.lastRead = null;
			throw new WorkerLeaseStoreException(ex.getMessage(), ex, false);
		}
	}

	@Override
	public void close() {
	}

}
