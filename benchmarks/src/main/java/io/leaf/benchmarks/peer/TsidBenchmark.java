/*
 * Copyright 2026 the Leaf project authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *      https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */

package io.leaf.benchmarks.peer;

import com.github.f4b6a3.tsid.TsidFactory;
import io.hypersistence.tsid.TSID;
import io.leaf.benchmarks.Drawn;
import io.leaf.benchmarks.Ledger;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * TSIDs of 42, 10 and 12 bits, by two libraries. They run ahead of the clock without a
 * bound.
 */
@State(Scope.Benchmark)
public class TsidBenchmark {

	private static final int NODE = 1;

	private final TsidFactory creator = TsidFactory.newInstance1024(NODE);

	private final TSID.Factory hypersistence = TSID.Factory.newInstance1024(NODE);

	/**
	 * Tells whose IDs they are.
	 * @param ledger what checks the IDs
	 */
	@Setup
	public void setUp(Ledger ledger) {
		ledger.peer();
	}

	/**
	 * Draws from tsid-creator.
	 * @param drawn where the ID is noted
	 * @return the ID
	 */
	@Benchmark
	public long tsidCreator(Drawn drawn) {
		return drawn.note(this.creator.create().toLong());
	}

	/**
	 * Draws from hypersistence-tsid.
	 * @param drawn where the ID is noted
	 * @return the ID
	 */
	@Benchmark
	public long hypersistenceTsid(Drawn drawn) {
		return drawn.note(this.hypersistence.generate().toLong());
	}

}
