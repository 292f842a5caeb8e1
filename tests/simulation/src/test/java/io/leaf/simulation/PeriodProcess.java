// SPDX-License-Identifier: Apache-2.0

package io.leaf.simulation;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;

import io.leaf.segment.Ordering;
import io.leaf.segment.SegmentStore;
import io.leaf.segment.SegmentStore.Allocation;
import io.leaf.segment.SegmentStore.Counter;
import io.leaf.segment.SegmentStore.Window;
import io.leaf.segment.SegmentStoreException;
import io.leaf.segment.server.ServerSegmentStore;
import io.leaf.server.api.SimulatedServlets;
import jakarta.servlet.http.HttpServlet;
import org.jspecify.annotations.Nullable;

/**
 * A process that issues the numbers of keys with periods.
 */
final class PeriodProcess extends TableProcess {

	private final PeriodWorld world;

	private final double rate;

	private final boolean isClient;

	private final Map<String, KeyCalls> keys = new HashMap<>();

	// how long the machine has slept, and by how much its wall clock was set back, in
	// total

	private long slept;

	private long setBack;

	/**
	 * Creates a process.
	 * @param rate the rate of its clocks
	 * @param servers the Leaf servers that the process is a client of. If empty, the
	 * process uses the table itself
	 */
	PeriodProcess(PeriodWorld world, Process process, double rate, List<LeafServer> servers) {
		super(process, servers.isEmpty() ? List.of(world.table()) : servers, world.faults());
		this.world = world;
		this.rate = rate;
		this.isClient = !servers.isEmpty();
		use(observed(this.isClient ? new ServerSegmentStore(SimulatedHttp.client(this, servers, world.faults()),
				(key) -> world.settings().ordering(key) == Ordering.GLOBAL) : store(() -> this)), world.settings());
		for (String key : PeriodWorld.KEYS) {
			KeyCalls calls = new KeyCalls(key);
			this.keys.put(key, calls);
			for (int i = 0; i < CALLERS_PER_KEY; i++) {
				add(new Caller(process, callers().size(), calls::draw, calls));
			}
		}
	}

	/**
	 * Returns the servlet that answers requests if this process is a Leaf server.
	 */
	HttpServlet servlet(LeafServer server) {
		SegmentStore store = store(() -> (PeriodProcess) server.served().client());
		return SimulatedServlets.ranges(generator(), store, process().wallClock(), PeriodWorld.SERVER_MAX_STEP,
				(key) -> true, (key) -> false);
	}

	/**
	 * Returns a store that accesses the table.
	 * @param user returns the process for which numbers are about to be allocated
	 */
	private SegmentStore store(Supplier<PeriodProcess> user) {
		return new SimulatedSegmentStore(this.world.table(), link(), process().name(), this.world.failoverGap(),
				this.world.world().random()::nextLong) {
			@Override
			Consumer<Allocation> allocating(String key) {
				PeriodProcess process = user.get();
				return (allocation) -> PeriodProcess.this.world.allocated(key, allocation, process,
						process.calls(key).ended);
			}
		};
	}

	private SegmentStore observed(SegmentStore store) {
		return new ForwardingSegmentStore(store) {
			@Override
			public @Nullable Allocation allocate(String key, long size, Window window, Duration timeout) {
				KeyCalls calls = calls(key);
				calls.beginAttempt();
				try {
					Allocation allocation = super.allocate(key, size, window, timeout);
					if (allocation != null) {
						received(key, allocation);
						calls.allocated(allocation);
					}
					return allocation;
				}
				catch (SegmentStoreException ex) {
					calls.endAttempt();
					throw ex;
				}
			}

			@Override
			public @Nullable Counter read(String key, Duration timeout) {
				calls(key).beginAttempt();
				return super.read(key, timeout);
			}
		};
	}

	private void received(String key, Allocation range) {
		if (this.isClient && !this.world.table().passOn(this.world.servers(), process().name(), key, range)) {
			process().world()
				.violated(
						"%s received %s of %s, which no server had allocated".formatted(process().name(), range, key));
		}
	}

	private KeyCalls calls(String key) {
		return this.keys.get(key);
	}

	/**
	 * Lets the machine sleep.
	 */
	void sleep(long nanos) {
		process().sleep(nanos);
		this.slept += nanos;
	}

	void stepWallClock(long nanos) {
		process().stepWallClock(nanos);
		this.setBack += Math.max(0, -nanos);
	}

	/**
	 * Returns when a call for a key failed last, in true nanoseconds; -1 if never.
	 */
	long failed(String key) {
		return calls(key).failed;
	}

	/**
	 * The calls of this process for one key, and its attempts to allocate numbers of the
	 * key.
	 */
	private final class KeyCalls extends IdChecker {

		private final String key;

		// by period: the clocks at the beginning of the attempt that first allocated
		// numbers
		private final Map<Long, Clocks> begun = new HashMap<>();

		private @Nullable Clocks attempt;

		private long ended;

		private long failed = -1;

		KeyCalls(String key) {
			super(process(), PeriodProcess.this.world.order(key));
			this.key = key;
		}

		long[] draw(int count) {
			try {
				return PeriodProcess.this.draw(this.key, count);
			}
			catch (RuntimeException | Error ex) {
				this.failed = process().world().now();
				throw ex;
			}
		}

		void beginAttempt() {
			if (this.attempt == null) {
				this.attempt = new Clocks(process().world().now(), PeriodProcess.this.slept,
						PeriodProcess.this.setBack);
			}
		}

		void endAttempt() {
			this.attempt = null;
			this.ended = process().world().now();
		}

		void allocated(Allocation allocation) {
			this.begun.putIfAbsent(PeriodProcess.this.world.period(allocation.from()), this.attempt);
			endAttempt();
			PeriodProcess.this.world.answered(this.key, allocation);
		}

		@Override
		boolean isExhausted() {
			return PeriodProcess.this.world.isUsedUp(this.key);
		}

		@Override
		void check(long id, long callStart) {
			PeriodWorld world = PeriodProcess.this.world;
			if (!world.issued(this.key, id)) {
				violated(id, "was issued before");
			}
			Clocks begun = this.begun.get(world.period(id));
			if (begun == null || !world.table().isAllocated(process().name(), this.key, id)) {
				violated(id, "was never allocated to it");
				return;
			}
			String wrong = world.outsidePeriod(id, callStart, world.isGlobal(this.key) ? 0 : begun.lag());
			if (wrong != null) {
				violated(id, wrong);
			}
		}

		/**
		 * The state of the clocks of the process at some time.
		 */
		private final class Clocks {

			private final long time;

			private final long slept;

			private final long setBack;

			Clocks(long time, long slept, long setBack) {
				this.time = time;
				this.slept = slept;
				this.setBack = setBack;
			}

			/**
			 * Returns how far the process may be behind the clock of the store, which it
			 * estimates from the time that it read then. If the machine sleeps and its
			 * wall clock is set back, neither clock of the process shows that the machine
			 * slept.
			 */
			long lag() {
				long slow = (long) (Math.max(0, 1 - PeriodProcess.this.rate) * (process().world().now() - this.time));
				long hidden = Math.min(PeriodProcess.this.slept - this.slept,
						PeriodProcess.this.setBack - this.setBack);
				return PeriodWorld.MAX_DRIFT.toNanos() + slow + hidden;
			}

		}

	}

}
