// SPDX-License-Identifier: Apache-2.0

package io.leaf.benchmarks.peer;

import io.leaf.benchmarks.Drawn;
import io.leaf.benchmarks.Ledger;
import org.hibernate.id.IdentifierGeneratorHelper;
import org.hibernate.id.IntegralDataTypeHolder;
import org.hibernate.id.enhanced.AccessCallback;
import org.hibernate.id.enhanced.PooledLoOptimizer;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * Hibernate's pooled-lo optimizer alone: without a session, on a sequence in memory whose
 * increment is the step of {@code SegmentBenchmark}.
 */
@State(Scope.Benchmark)
public class HibernateBenchmark {

	private static final int INCREMENT = 1_000_000;

	private final PooledLoOptimizer optimizer = new PooledLoOptimizer(Long.class, INCREMENT);

	private final MemorySequence sequence = new MemorySequence();

	/**
	 * Sets the source.
	 * @param ledger what checks the IDs
	 */
	@Setup
	public void setUp(Ledger ledger) {
		ledger.peer();
		// the numbers begin at 1 and have no gap, so one more tells how many there were
		ledger.source(() -> generate() - 1);
	}

	/**
	 * Draws from a pool.
	 * @param drawn where the ID is noted
	 * @return the ID
	 */
	@Benchmark
	public long pooledLo(Drawn drawn) {
		return drawn.note(generate());
	}

	private long generate() {
		return (Long) this.optimizer.generate(this.sequence);
	}

	/**
	 * A database's sequence. The optimizer's lock guards it.
	 */
	private static final class MemorySequence implements AccessCallback {

		private long next = 1;

		@Override
		public IntegralDataTypeHolder getNextValue() {
			long value = this.next;
			this.next += INCREMENT;
			return IdentifierGeneratorHelper.getIntegralDataTypeHolder(Long.class).initialize(value);
		}

		@Override
		public @Nullable String getTenantIdentifier() {
			return null;
		}

	}

}
