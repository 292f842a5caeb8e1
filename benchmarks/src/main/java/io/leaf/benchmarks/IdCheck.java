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
 * Checks the IDs that the threads of a JMH fork have drawn. A benchmark of this library
 * fails if an ID occurs twice in the sample of compared IDs, if that sample is too small,
 * or if the number of IDs drawn differs from the number that the generator has issued. If
 * the generator is a peer, which means another library, the problem is only reported.
 */
@State(Scope.Benchmark)
public class IdCheck {

	/**
	 * The system property that names the file for the result. Without it, no file is
	 * written.
	 */
	public static final String FILE_PROPERTY = "leaf.benchmarks.id-check-file";

	private int threads;

	private long count;

	private long[] sample = new long[0];

	private LongSupplier issued = () -> -1;

	private boolean peer;

	private @Nullable IdCheckResult result;

	/**
	 * Sets the source of the number of IDs issued, for generators that know it.
	 * @param issued returns the number of IDs issued since the fork began
	 */
	public void issuedBy(LongSupplier issued) {
		this.issued = issued;
	}

	/**
	 * Marks the generator as a peer, whose problems are reported and do not end the run.
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
		IdCheckResult result = IdCheckResult.of(this.sample, this.count, this.issued.getAsLong());
		this.result = result;
		String problem = result.problem();
		if (problem != null && !this.peer) {
			throw new IllegalStateException(problem);
		}
		String file = System.getProperty(FILE_PROPERTY);
		if (file != null) {
			write(result, Path.of(file));
		}
		System.out.printf("[%,d IDs drawn, %,d of them compared: %s]%n", result.drawn(), result.compared(),
				(problem != null) ? problem : "no duplicate");
	}

	private static void write(IdCheckResult result, Path file) {
		try {
			result.write(file);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Returns the result, once all threads have ended.
	 * @return the result
	 */
	public synchronized IdCheckResult result() {
		IdCheckResult result = this.result;
		if (result == null) {
			throw new IllegalStateException("%d threads are still drawing IDs".formatted(this.threads));
		}
		return result;
	}

}
