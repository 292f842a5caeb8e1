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
 * The row of a simulated table that names the server on which the counters are advanced,
 * and the library's code that uses it.
 */
public final class SimulatedPrimary {

	private final RaisesCounters counters;

	private final InstantSource clock;

	private int servers;

	private @Nullable PrimaryRecord row = new PrimaryRecord(server(), 0, 0, List.of());

	private @Nullable PrimaryRecord replica = this.row;

	/**
	 * Creates a database that has always had the row.
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
	 * Returns whether the replica has the row.
	 */
	public boolean isReplicated() {
		return Objects.equals(this.row, this.replica);
	}

	/**
	 * Returns how often the counters have been raised.
	 */
	public long raises() {
		return (this.row != null) ? this.row.failovers() : 0;
	}

	private String server() {
		return "s" + this.servers;
	}

	private boolean add(boolean here, long version) {
		if (this.row == null) {
			this.row = new PrimaryRecord(here ? server() : "", 0, version, List.of());
		}
		return true;
	}

	private boolean raise(PrimaryRecord former, PrimaryRecord next, long numbers) {
		if (this.row == null || this.row.version() != former.version() || !next.server().equals(server())) {
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
		 * Creates a process that has seen nothing.
		 * @param gap by how much the counters are raised, or 0
		 */
		public Process(long gap, LongSupplier random, Requests requests) {
			this.gap = new FailoverGap(gap, random);
			this.requests = requests;
		}

		/**
		 * Returns the condition of a statement, which throws a
		 * {@link ServerChangedException} when it is executed and not met.
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
	 * Thrown if a statement does not meet the condition.
	 */
	public static final class ServerChangedException extends SegmentStoreException {

		private static final long serialVersionUID = 1L;

		ServerChangedException() {
			super("The server has changed", null, false);
		}

	}

}
