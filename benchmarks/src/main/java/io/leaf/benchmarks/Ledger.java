// SPDX-License-Identifier: Apache-2.0

package io.leaf.benchmarks;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.function.LongSupplier;

import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/**
 * What all threads of a fork have drawn together. A benchmark that issued an ID twice, or
 * another number of IDs than its source says, fails; where the source is a peer, that is
 * written down instead.
 */
@State(Scope.Benchmark)
public class Ledger {

	/**
	 * The system property that names the file for the verdict. Without it there is none.
	 */
	public static final String FILE_PROPERTY = "leaf.benchmarks.verdict";

	private int threads;

	private long count;

	private long[] sample = new long[0];

	private LongSupplier issued = () -> -1;

	private boolean peer;

	private @Nullable Verdict verdict;

	/**
	 * Sets where to ask how many IDs have been issued, if the source can tell.
	 * @param issued the number of IDs the source has issued since the fork began
	 */
	public void source(LongSupplier issued) {
		this.issued = issued;
	}

	/**
	 * Notes that the IDs are a peer's. Its duplicates belong on the page; they are no
	 * reason to stop.
	 */
	public void peer() {
		this.peer = true;
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
		Verdict verdict = Verdict.of(this.sample, this.count, this.issued.getAsLong());
		this.verdict = verdict;
		String problem = verdict.problem();
		if (problem != null && !this.peer) {
			throw new IllegalStateException(problem);
		}
		String file = System.getProperty(FILE_PROPERTY);
		if (file != null) {
			write(verdict, Path.of(file));
		}
		System.out.printf("[%,d IDs drawn, %,d of them compared: %s] ", verdict.drawn(), verdict.compared(),
				(problem != null) ? problem : "no duplicate");
	}

	private static void write(Verdict verdict, Path file) {
		try {
			verdict.write(file);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Returns what is known of the IDs, once all threads have ended.
	 * @return the verdict
	 */
	public synchronized Verdict verdict() {
		Verdict verdict = this.verdict;
		if (verdict == null) {
			throw new IllegalStateException("%d threads are still drawing".formatted(this.threads));
		}
		return verdict;
	}

}
