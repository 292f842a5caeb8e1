// SPDX-License-Identifier: Apache-2.0

package io.leaf.benchmarks.report;

import java.util.List;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

import io.leaf.benchmarks.Drawn;
import io.leaf.benchmarks.Ledger;

/**
 * IDs to draw in this JVM, and the ledger that checks them.
 */
final class Source {

	private final String title;

	private final Ledger ledger;

	private final ToLongFunction<Drawn> ids;

	/**
	 * Creates a source.
	 * @param title how the page calls it, in Markdown
	 * @param ledger what checks the IDs
	 * @param ids draws an ID and notes it
	 */
	Source(String title, Ledger ledger, ToLongFunction<Drawn> ids) {
		this.title = title;
		this.ledger = ledger;
		this.ids = ids;
	}

	String title() {
		return this.title;
	}

	Ledger ledger() {
		return this.ledger;
	}

	long draw(Drawn drawn) {
		return this.ids.applyAsLong(drawn);
	}

	/**
	 * Begins to draw with several threads.
	 * @param threads how many
	 * @return where each of them notes its IDs
	 */
	List<Drawn> begin(int threads) {
		return Stream.generate(this::begin).limit(threads).toList();
	}

	private Drawn begin() {
		Drawn drawn = new Drawn();
		drawn.begin(this.ledger);
		return drawn;
	}

	/**
	 * Checks all IDs.
	 * @param drawn where the threads have noted them
	 * @throws IllegalStateException if one was issued twice, unless the source is a peer
	 */
	void end(List<Drawn> drawn) {
		drawn.forEach((thread) -> thread.end(this.ledger));
		// the ledger has left its line open
		System.out.println();
	}

	/**
	 * Returns what the check has found, once it is done.
	 */
	String found() {
		String problem = this.ledger.verdict().problem();
		return (problem != null) ? problem : "no duplicate";
	}

}
