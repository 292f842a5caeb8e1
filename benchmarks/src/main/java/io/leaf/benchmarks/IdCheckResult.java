// SPDX-License-Identifier: Apache-2.0

package io.leaf.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

import org.jspecify.annotations.Nullable;

/**
 * The result of checking the IDs of one fork.
 *
 * @param drawn the number of IDs drawn
 * @param compared the number of those that were compared with each other
 * @param duplicates the number of compared IDs that repeat another one
 * @param issued the number of IDs that the generator has issued, or -1 if it does not
 * know
 */
public record IdCheckResult(long drawn, long compared, long duplicates, long issued) {

	private static final long MANY = 100_000_000;

	private static final int FEW = 10;

	/**
	 * Compares IDs.
	 * @param sample the IDs to compare; the array is sorted
	 * @param drawn the number of IDs drawn
	 * @param issued the number of IDs that the generator has issued, or -1 if it does not
	 * know
	 */
	static IdCheckResult of(long[] sample, long drawn, long issued) {
		Arrays.sort(sample);
		long duplicates = 0;
		for (int i = 1; i < sample.length; i++) {
			if (sample[i] == sample[i - 1]) {
				duplicates++;
			}
		}
		return new IdCheckResult(drawn, sample.length, duplicates, issued);
	}

	/**
	 * Returns the problem of the IDs or of the check itself.
	 * @return the problem, or {@code null} if there is none
	 */
	public @Nullable String problem() {
		if (this.duplicates > 0) {
			return "%,d of %,d compared IDs were issued twice".formatted(this.duplicates, this.compared);
		}
		if (this.issued >= 0 && this.issued != this.drawn) {
			return "%,d IDs were drawn, but %,d issued".formatted(this.drawn, this.issued);
		}
		if (this.drawn > MANY && this.compared < FEW) {
			return "Only %,d of %,d IDs were compared".formatted(this.compared, this.drawn);
		}
		return null;
	}

	/**
	 * Writes the result in the format of {@link #read}.
	 * @param file the file
	 * @throws IOException if the file cannot be written
	 */
	void write(Path file) throws IOException {
		Files.writeString(file, "%d %d %d %d".formatted(this.drawn, this.compared, this.duplicates, this.issued));
	}

	/**
	 * Reads the result of a fork.
	 * @param file the file written by the fork
	 * @return the result
	 * @throws IOException if the file cannot be read
	 */
	public static IdCheckResult read(Path file) throws IOException {
		String[] numbers = Files.readString(file).split(" ");
		return new IdCheckResult(Long.parseLong(numbers[0]), Long.parseLong(numbers[1]), Long.parseLong(numbers[2]),
				Long.parseLong(numbers[3]));
	}

}
