// SPDX-License-Identifier: Apache-2.0

package io.leaf.benchmarks.generator;

import java.util.List;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

import io.leaf.benchmarks.DrawnIds;
import io.leaf.benchmarks.IdCheck;

/**
 * A generator that is measured in this JVM, without JMH.
 *
 * @param title the name in the tables, in Markdown
 * @param check the check of the IDs
 * @param draw draws an ID and records it
 */
record IdSource(String title, IdCheck check, ToLongFunction<DrawnIds> draw) {

	long draw(DrawnIds drawn) {
		return this.draw.applyAsLong(drawn);
	}

	/**
	 * Begins to draw.
	 * @param threads the number of threads
	 * @return the record of each thread
	 */
	List<DrawnIds> begin(int threads) {
		return Stream.generate(this::begin).limit(threads).toList();
	}

	private DrawnIds begin() {
		DrawnIds drawn = new DrawnIds();
		drawn.begin(this.check);
		return drawn;
	}

	/**
	 * Ends the record of each thread, and checks the sample of all threads for
	 * duplicates.
	 * @param drawn the record of each thread
	 * @throws IllegalStateException if the check finds a problem, unless the generator is
	 * a peer
	 */
	void end(List<DrawnIds> drawn) {
		drawn.forEach((thread) -> thread.end(this.check));
	}

	/**
	 * Returns the outcome of the check, for the tables.
	 */
	String found() {
		String problem = this.check.result().problem();
		return (problem != null) ? problem : "no duplicate";
	}

}
