// SPDX-License-Identifier: Apache-2.0

package io.leaf.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

import org.jspecify.annotations.Nullable;

/**
 * What is known of the IDs of one fork.
 *
 * @param drawn how many were drawn
 * @param compared how many of them were compared with each other
 * @param duplicates how many of those repeat another
 * @param issued how many the source says it has issued, or -1 where it cannot tell
 */
public record Verdict(long drawn, long compared, long duplicates, long issued) {

	private static final long MANY = 100_000_000;

	private static final int FEW = 10;

	/**
	 * Compares IDs.
	 * @param sample the IDs to compare; they are sorted
	 * @param drawn how many were drawn
	 * @param issued how many the source says it has issued, or -1 where it cannot tell
	 */
	static Verdict of(long[] sample, long drawn, long issued) {
		Arrays.sort(sample);
		long duplicates = 0;
		for (int i = 1; i < sample.length; i++) {
			if (sample[i] == sample[i - 1]) {
				duplicates++;
			}
		}
		return new Verdict(drawn, sample.length, duplicates, issued);
	}

	/**
	 * Returns what is wrong with the IDs, or with how they were checked.
	 * @return what is wrong, or {@code null} if nothing is
	 */
	public @Nullable String problem() {
		if (this.duplicates > 0) {
			return "%,d of %,d compared IDs were issued twice".formatted(this.duplicates, this.compared);
		}
		if (this.issued >= 0 && this.issued != this.drawn) {
			return "%,d IDs were drawn, but %,d issued".formatted(this.drawn, this.issued);
		}
		if (this.drawn > MANY && this.compared < FEW) {
			return "Of %,d IDs only %,d were compared".formatted(this.drawn, this.compared);
		}
		return null;
	}

	/**
	 * Writes the verdict for {@link #read}.
	 * @param file the file to write
	 * @throws IOException if it cannot be written
	 */
	void write(Path file) throws IOException {
		Files.writeString(file, "%d %d %d %d".formatted(this.drawn, this.compared, this.duplicates, this.issued));
	}

	/**
	 * Reads a verdict.
	 * @param file the file written by a fork
	 * @return the verdict
	 * @throws IOException if it cannot be read
	 */
	public static Verdict read(Path file) throws IOException {
		String[] numbers = Files.readString(file).split(" ");
		return new Verdict(Long.parseLong(numbers[0]), Long.parseLong(numbers[1]), Long.parseLong(numbers[2]),
				Long.parseLong(numbers[3]));
	}

}
