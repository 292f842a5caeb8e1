// SPDX-License-Identifier: Apache-2.0

package io.leaf.benchmarks.peer;

import io.leaf.benchmarks.DrawnIds;
import io.leaf.benchmarks.IdCheck;
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
 * Hibernate's pooled-lo optimizer without a session, on a sequence in memory whose
 * increment is the step of {@code SegmentBenchmark}.
 */
@State(Scope.Benchmark)
public class HibernateBenchmark {

	private static final int INCREMENT = 1_000_000;

	private final PooledLoOptimizer optimizer = new PooledLoOptimizer(Long.class, INCREMENT);

	private final MemorySequence sequence = new MemorySequence();

	/**
	 * Connects the generator with the check.
	 * @param check the check of the IDs
	 */
	@Setup
	public void setUp(IdCheck check) {
		check.peer();
		// the numbers begin at 1 without gaps: another ID shows how many were issued
		check.issuedBy(() -> generate() - 1);
	}

	/**
	 * Draws an ID.
	 * @param drawn the record of the IDs
	 * @return the ID
	 */
	@Benchmark
	public long pooledLo(DrawnIds drawn) {
		return drawn.record(generate());
	}

	private long generate() {
		return (Long) this.optimizer.generate(this.sequence);
	}

	/**
	 * Stands for the sequence of a database. The optimizer's lock guards it.
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
