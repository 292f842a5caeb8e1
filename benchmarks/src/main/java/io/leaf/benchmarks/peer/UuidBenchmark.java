// SPDX-License-Identifier: Apache-2.0

package io.leaf.benchmarks.peer;

import java.util.UUID;

import io.leaf.benchmarks.DrawnIds;
import io.leaf.benchmarks.IdCheck;
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
	 * Marks the IDs as those of a peer.
	 * @param check the check of the IDs
	 */
	@Setup
	public void setUp(IdCheck check) {
		check.peer();
	}

	/**
	 * Draws a UUID. The check compares 64 bits that are computed from its 122 random
	 * bits.
	 * @param drawn the record of the IDs
	 * @return the UUID
	 */
	@Benchmark
	public UUID randomUuid(DrawnIds drawn) {
		UUID id = UUID.randomUUID();
		drawn.record(id.getMostSignificantBits() ^ Long.rotateLeft(id.getLeastSignificantBits(), 8));
		return id;
	}

}
