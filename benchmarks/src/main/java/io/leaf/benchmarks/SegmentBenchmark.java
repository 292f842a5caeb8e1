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

package io.leaf.benchmarks;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

import io.leaf.IdSequence;
import io.leaf.segment.SegmentIdGenerator;
import io.leaf.segment.SegmentSettings;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * Segment mode, with 50 keys known.
 */
@State(Scope.Benchmark)
public class SegmentBenchmark {

	private static final int STEP = 1_000_000;

	private static final List<String> KEYS = IntStream.range(0, 50).mapToObj((i) -> "key-" + i).toList();

	private final String key = KEYS.get(17);

	private final MemorySegmentStore store = new MemorySegmentStore(STEP, Duration.ZERO, KEYS);

	private final SegmentIdGenerator generator = new SegmentIdGenerator(this.store, SegmentSettings.DEFAULTS);

	private IdSequence sequence = this.generator.sequence(this.key);

	/**
	 * Starts the generator.
	 * @param ledger what checks the IDs
	 */
	@Setup
	public void setUp(Ledger ledger) {
		this.generator.start();
		this.sequence = this.generator.sequence(this.key);
		ledger.source(this::issued);
	}

	private long issued() {
		// ends a fetch that may be under way, and gives the rest back
		this.generator.close();
		return this.store.allocated(this.key);
	}

	/**
	 * Draws from a sequence.
	 * @param drawn where the ID is noted
	 * @return the ID
	 */
	@Benchmark
	public long strict(Drawn drawn) {
		return drawn.note(this.sequence.nextId());
	}

	/**
	 * Draws by key.
	 * @param drawn where the ID is noted
	 * @return the ID
	 */
	@Benchmark
	public long strictByKey(Drawn drawn) {
		return drawn.note(this.generator.nextId(this.key));
	}

	/**
	 * Draws a thousand.
	 * @param drawn where the IDs are noted
	 * @return the IDs
	 */
	@Benchmark
	public long[] strictBatchOf1000(Drawn drawn) {
		return drawn.note(this.sequence.nextIds(1000));
	}

}
