// SPDX-License-Identifier: Apache-2.0

package io.leaf.benchmarks.peer;

import java.util.UUID;

import io.leaf.benchmarks.Drawn;
import io.leaf.benchmarks.Ledger;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * Random UUIDs.
 */
@State(Scope.Benchmark)
public class UuidBenchmark {

	/**
	 * Tells whose IDs they are.
	 * @param ledger what checks the IDs
	 */
	@Setup
	public void setUp(Ledger ledger) {
		ledger.peer();
	}

	/**
	 * Draws a UUID. What is compared is 64 bits made of its 122 random ones.
	 * @param drawn where the ID is noted
	 * @return the UUID
	 */
	@Benchmark
	public UUID randomUuid(Drawn drawn) {
		UUID id = UUID.randomUUID();
		drawn.note(id.getMostSignificantBits() ^ Long.rotateLeft(id.getLeastSignificantBits(), 8));
		return id;
	}

}
