// SPDX-License-Identifier: Apache-2.0

package io.leaf.benchmarks.report;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

import io.leaf.IdSequence;
import io.leaf.benchmarks.Ledger;
import io.leaf.benchmarks.MemorySegmentStore;
import io.leaf.segment.SegmentIdGenerator;
import io.leaf.segment.SegmentSettings;
import me.ahoo.cosid.segment.IdSegmentDistributor;
import me.ahoo.cosid.segment.SegmentChainId;

/**
 * The sources whose tails are compared. Those that fetch do so every half second at the
 * rate of {@link Tail}, and each fetch takes 100 ms.
 */
final class TailSources {

	private static final int STEP = 100_000;

	private static final Duration LATENCY = Duration.ofMillis(100);

	private static final String KEY = "order";

	private TailSources() {
	}

	/**
	 * Creates new sources: the counter that the others are measured by, ours, CosId's.
	 */
	static List<Source> create() {
		return List.of(counter(), sequence(), chain());
	}

	private static Source counter() {
		AtomicLong counter = new AtomicLong();
		Ledger ledger = new Ledger();
		ledger.source(counter::get);
		return new Source(Subject.ATOMIC_LONG.title(), ledger, (drawn) -> drawn.note(counter.getAndIncrement()));
	}

	private static Source sequence() {
		MemorySegmentStore store = new MemorySegmentStore(STEP, LATENCY, List.of(KEY));
		SegmentSettings defaults = SegmentSettings.DEFAULTS;
		// the step stays as it is, for as many fetches as possible
		SegmentIdGenerator generator = new SegmentIdGenerator(store,
				new SegmentSettings(defaults.prefetchAt(), defaults.targetDuration(), STEP, defaults.acquireTimeout(),
						defaults.refreshInterval(), defaults.preload(), defaults.failFast(), defaults.autoCreateStep(),
						defaults.ordering(), defaults.giveBack(), defaults.startFrom(), defaults.aboveExistingIds()));
		generator.start();
		IdSequence sequence = generator.sequence(KEY);
		Ledger ledger = new Ledger();
		ledger.source(() -> {
			generator.close();
			return store.allocated(KEY);
		});
		return new Source(Subject.STRICT.title(), ledger, (drawn) -> drawn.note(sequence.nextId()));
	}

	private static Source chain() {
		SegmentChainId chain = new SegmentChainId(new SlowDistributor());
		Ledger ledger = new Ledger();
		ledger.peer();
		ledger.source(() -> chain.generate() - 1);
		return new Source(Subject.COSID_CHAIN.title(), ledger, (drawn) -> drawn.note(chain.generate()));
	}

	/**
	 * CosId's counter in memory, with the latency of a fetch.
	 */
	private static final class SlowDistributor implements IdSegmentDistributor {

		private final IdSegmentDistributor counter = new IdSegmentDistributor.Atomic(STEP);

		@Override
		public String getNamespace() {
			return this.counter.getNamespace();
		}

		@Override
		public String getName() {
			return this.counter.getName();
		}

		@Override
		public long getStep() {
			return STEP;
		}

		@Override
		public long nextMaxId(long step) {
			long wake = System.nanoTime() + LATENCY.toNanos();
			for (long left = LATENCY.toNanos(); left > 0; left = wake - System.nanoTime()) {
				LockSupport.parkNanos(left);
			}
			return this.counter.nextMaxId(step);
		}

	}

}
