// SPDX-License-Identifier: Apache-2.0

package io.leaf.segment.jdbc;

import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

import io.leaf.segment.SegmentStore.Raises;
import io.leaf.segment.SegmentStoreException;
import io.leaf.segment.jdbc.FailoverGap.Found;
import io.leaf.segment.jdbc.FailoverGap.Primary;
import org.jspecify.annotations.Nullable;

/**
 * The row of a segment table in the simulated table {@code leaf_primary}, which names the
 * server on which the counters are advanced, together with the library's code that uses
 * this row.
 */
public final class SimulatedPrimary {

	private final RaisesCounters counters;

	private final InstantSource clock;

	private int servers;

	private @Nullable PrimaryRecord row = new PrimaryRecord(server(), 0, 0, 0, 0, List.of());

	private @Nullable PrimaryRecord replica = this.row;

	/**
	 * Creates a database in which the row exists from the beginning.
	 * @param counters the counters of the table
	 * @param clock the clock of the database
	 */
	public SimulatedPrimary(RaisesCounters counters, InstantSource clock) {
		this.counters = counters;
		this.clock = clock;
	}

	/**
	 * Copies the row to the replica.
	 */
	public void replicate() {
		this.replica = this.row;
	}

	/**
	 * Fails over to the replica.
	 */
	public void failOver() {
		this.servers++;
		this.row = this.replica;
	}

	/**
	 * Returns whether the replica has the present content of the row.
	 */
	public boolean isReplicated() {
		return Objects.equals(this.row, this.replica);
	}

	/**
	 * Returns by how much the counters have been raised according to the row, or 0 if
	 * there is no row.
	 */
	public long raised() {
		return (this.row != null) ? this.row.raised() : 0;
	}

	private String server() {
		return "s" + this.servers;
	}

	private boolean add(boolean here, long version) {
		if (this.row == null) {
			this.row = new PrimaryRecord(here ? server() : "", 0, 0, 0, version, List.of());
		}
		return true;
	}

	private boolean raise(PrimaryRecord former, PrimaryRecord next, long numbers) {
		if (this.row == null || this.row.version() != former.version() || !next.server().equals(server())
				|| this.clock.instant().isAfter(next.raisedAt().get(0))) {
			return false;
		}
		this.row = next;
		this.counters.raise(numbers);
		return true;
	}

	/**
	 * A process that raises the counters after a failover.
	 */
	public final class Process {

		private final FailoverGap gap;

		private final Requests requests;

		/**
		 * Creates a process that has not seen the row.
		 * @param gap by how much the counters are raised for each failover, or 0 if they
		 * are never raised
		 */
		public Process(long gap, LongSupplier random, Requests requests) {
			this.gap = new FailoverGap(gap, random);
			this.requests = requests;
		}

		/**
		 * Returns the condition of a statement, to be run when the statement is executed.
		 * If the condition is not met then, it throws a {@link ServerChangedException}.
		 */
		public Runnable condition() {
			PrimaryRecord seen = this.gap.seen();
			return () -> {
				PrimaryRecord row = SimulatedPrimary.this.row;
				if (this.gap.isEnabled() && (seen == null || row == null || row.version() != seen.version()
						|| !row.server().equals(server()))) {
					throw new ServerChangedException();
				}
			};
		}

		public Raises raises() {
			return this.gap.raises(this.gap.seen());
		}

		public long firstNumber(long from) {
			return this.gap.firstNumber(from);
		}

		public void follow() {
			this.gap.follow(new Primary() {

				@Override
				public @Nullable Found find() {
					return Process.this.requests.read("find primary", () -> {
						PrimaryRecord row = SimulatedPrimary.this.row;
						return (row != null) ? new Found(row, server(), SimulatedPrimary.this.clock.instant()) : null;
					});
				}

				@Override
				public void add(boolean here, long version) {
					Process.this.requests.write("add primary", () -> SimulatedPrimary.this.add(here, version));
				}

				@Override
				public void raise(PrimaryRecord former, PrimaryRecord next, long numbers) {
					Process.this.requests.write("raise", () -> SimulatedPrimary.this.raise(former, next, numbers));
				}

			});
		}

	}

	/**
	 * Sends requests to the database.
	 */
	public interface Requests {

		<T extends @Nullable Object> T read(String what, Supplier<T> effect);

		<T extends @Nullable Object> T write(String what, Supplier<T> effect);

	}

	/**
	 * Raises all counters of the table.
	 */
	@FunctionalInterface
	public interface RaisesCounters {

		void raise(long numbers);

	}

	/**
	 * Thrown if the condition of a statement is not met.
	 */
	public static final class ServerChangedException extends SegmentStoreException {

		private static final long serialVersionUID = 1L;

		ServerChangedException() {
			super("The server has changed", null, false);
		}

	}

}
