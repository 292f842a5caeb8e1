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

import java.util.Arrays;
import java.util.function.LongSupplier;

import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/**
 * What all threads of a fork have drawn together. A benchmark that issued an ID twice, or
 * another number of IDs than its source says, fails.
 */
@State(Scope.Benchmark)
public class Ledger {

	private int threads;

	private long count;

	private long[] sample = new long[0];

	private LongSupplier issued = () -> -1;

	/**
	 * Sets where to ask how many IDs have been issued, if the source can tell.
	 * @param issued the number of IDs the source has issued since the fork began
	 */
	public void source(LongSupplier issued) {
		this.issued = issued;
	}

	synchronized void join() {
		this.threads++;
	}

	synchronized void leave(long[] sample, long count) {
		int before = this.sample.length;
		this.sample = Arrays.copyOf(this.sample, before + sample.length);
		System.arraycopy(sample, 0, this.sample, before, sample.length);
		this.count += count;
		if (--this.threads == 0) {
			check();
		}
	}

	private void check() {
		long issued = this.issued.getAsLong();
		if (issued >= 0 && issued != this.count) {
			throw new IllegalStateException("%d IDs were drawn, but %d issued".formatted(this.count, issued));
		}
		Arrays.sort(this.sample);
		for (int i = 1; i < this.sample.length; i++) {
			if (this.sample[i] == this.sample[i - 1]) {
				throw new IllegalStateException("ID %d was issued twice".formatted(this.sample[i]));
			}
		}
		if (this.count > 100_000_000 && this.sample.length < 10) {
			throw new IllegalStateException("Of %d IDs only %d were checked".formatted(this.count, this.sample.length));
		}
		System.out.printf("[%,d IDs drawn, %,d of them compared: no duplicate] ", this.count, this.sample.length);
	}

}
