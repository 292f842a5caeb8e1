// SPDX-License-Identifier: Apache-2.0

package io.leaf.it;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Files of IDs. One thread writes each file, in the order in which it has drawn the IDs;
 * all files are read together.
 */
final class IdFiles {

	private IdFiles() {
	}

	static DataOutputStream write(Path file) throws IOException {
		return new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(file), 1 << 16));
	}

	/**
	 * Asserts that the IDs of each file ascend, and that no ID occurs twice.
	 * @param ceiling the upper bound of the IDs, exclusive
	 * @return the number of IDs
	 */
	static long assertUnique(List<Path> files, int ceiling) throws IOException {
		BitSet seen = new BitSet(ceiling);
		long total = 0;
		for (Path file : files) {
			long count = Files.size(file) / Long.BYTES;
			long last = -1;
			try (DataInputStream in = new DataInputStream(
					new BufferedInputStream(Files.newInputStream(file), 1 << 16))) {
				for (long i = 0; i < count; i++) {
					long id = in.readLong();
					if (id <= last || id >= ceiling || seen.get((int) id)) {
						assertThat(id).as("ID %d of %s, after %d", i, file.getFileName(), last)
							.isGreaterThan(last)
							.isLessThan(ceiling)
							.satisfies((duplicate) -> assertThat(seen.get(duplicate.intValue())).as("a duplicate")
								.isFalse());
					}
					seen.set((int) id);
					last = id;
				}
			}
			total += count;
		}
		return total;
	}

}
