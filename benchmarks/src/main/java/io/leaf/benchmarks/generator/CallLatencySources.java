// SPDX-License-Identifier: Apache-2.0

package io.leaf.benchmarks.generator;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

import io.leaf.IdSequence;
import io.leaf.benchmarks.IdCheck;
import io.leaf.benchmarks.InMemorySegmentStore;
import io.leaf.benchmarks.SegmentDefaults;
import io.leaf.segment.SegmentIdGenerator;
import me.ahoo.cosid.segment.IdSegmentDistributor;
import me.ahoo.cosid.segment.SegmentChainId;

/**
 * The generators whose latencies are compared. At the rate of {@link CallLatency}, those
 * that fetch segments do so every half second, and each fetch takes 100 ms.
 */
final class CallLatencySources {

	private static final int STEP = 100_000;

	private static final Duration LATENCY = Duration.ofMillis(100);

	private static final String KEY = "order";

	private CallLatencySources() {
	}

	/**
	 * Creates the generators: the counter with which the others are compared, this
	 * library, CosId.
	 */
	static List<IdSource> create() {
		return List.of(counter(), sequence(), chain());
	}

	private static IdSource counter() {
		AtomicLong counter = new AtomicLong();
		IdCheck check = new IdCheck();
		check.issuedBy(counter::get);
		return new IdSource(Subject.ATOMIC_LONG.title(), check, (drawn) -> drawn.record(counter.getAndIncrement()));
	}

	private static IdSource sequence() {
		InMemorySegmentStore store = new InMemorySegmentStore(STEP, LATENCY, List.of(KEY));
		// max-step equals the step: segments do not grow, and fetches stay frequent
		SegmentIdGenerator generator = new SegmentIdGenerator(store,
				SegmentDefaults.SETTINGS.toBuilder().maxStep(STEP).build());
		generator.start();
		IdSequence sequence = generator.sequence(KEY);
		IdCheck check = new IdCheck();
		check.issuedBy(() -> {
			generator.close();
			return store.allocated(KEY);
		});
		return new IdSource(Subject.STRICT.title(), check, (drawn) -> drawn.record(sequence.nextId()));
	}

	private static IdSource chain() {
		SegmentChainId chain = new SegmentChainId(new SlowDistributor());
		IdCheck check = new IdCheck();
		check.peer();
		check.issuedBy(() -> chain.generate() - 1);
		return new IdSource(Subject.COSID_CHAIN.title(), check, (drawn) -> drawn.record(chain.generate()));
	}

	/**
	 * CosId's counter in memory, with the latency of a database.
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
