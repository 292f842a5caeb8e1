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
 * IDs written by one thread each, in the order they were drawn, and read together.
 */
final class IdFiles {

	private IdFiles() {
	}

	static DataOutputStream write(Path file) throws IOException {
		return new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(file), 1 << 16));
	}

	/**
	 * Asserts that the IDs of each file ascend, and that none is in two places.
	 * @param ceiling a number that no ID reaches
	 * @return how many IDs there are
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
