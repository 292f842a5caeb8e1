// SPDX-License-Identifier: Apache-2.0

package io.leaf.it.faults;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that the collector finds the violations that it checks for.
 */
class IdCollectorIT {

	private static final int FILES = 6;

	private static final int IDS = 300_000;

	@TempDir
	private Path directory;

	private final List<List<Long>> drawn = new ArrayList<>();

	private final Random random = new Random(7);

	/**
	 * Distributes numbers in runs, as the threads of processes would draw them.
	 */
	private void distribute() {
		for (int i = 0; i < FILES; i++) {
			this.drawn.add(new ArrayList<>());
		}
		long next = 1L << 61;
		int left = IDS;
		while (left > 0) {
			int length = Math.min(left, 1 + this.random.nextInt(40));
			List<Long> receiver = this.drawn.get(this.random.nextInt(FILES));
			for (int i = 0; i < length; i++) {
				receiver.add(next++);
			}
			left -= length;
			next += (this.random.nextInt(4) == 0) ? this.random.nextLong(1L << 30) : 0;
		}
	}

	private IdCollector.Result check() throws IOException {
		List<Path> files = new ArrayList<>();
		for (List<Long> ids : this.drawn) {
			Path file = this.directory.resolve("thread-" + files.size());
			write(file, ids);
			files.add(file);
		}
		return IdCollector.check(files);
	}

	private static void write(Path file, List<Long> ids) throws IOException {
		try (IdRunWriter writer = new IdRunWriter(file)) {
			for (int i = 0; i < ids.size(); i++) {
				writer.add(ids.get(i));
				if (i % 50 == 49) {
					writer.flush();
				}
			}
		}
	}

	@Test
	void countsUniqueIds() throws IOException {
		distribute();
		assertThat(check()).isEqualTo(new IdCollector.Result(IDS, 0, 0, List.of()));
	}

	@Test
	void findsASingleDuplicate() throws IOException {
		distribute();
		for (int attempt = 0; attempt < 20; attempt++) {
			List<Long> one = this.drawn.get(0);
			Long planted = one.get(this.random.nextInt(one.size()));
			List<Long> other = this.drawn.get(1 + this.random.nextInt(FILES - 1));
			other.add(planted);
			other.sort(null);
			IdCollector.Result result = check();
			assertThat(result.duplicates()).as("duplicates, if %d is drawn twice", planted).isEqualTo(1);
			assertThat(result.descents()).isZero();
			assertThat(result.examples()).singleElement().asString().contains("both have " + planted);
			other.remove(planted);
		}
	}

	@Test
	void findsAnIdThatOneThreadDrewTwice() throws IOException {
		this.drawn.add(List.of(5L, 6L, 7L, 7L, 8L));
		IdCollector.Result result = check();
		assertThat(result.duplicates()).isEqualTo(1);
		assertThat(result.descents()).isEqualTo(1);
	}

	@Test
	void countsEveryNumberOfAnOverlap() throws IOException {
		this.drawn.add(List.of(1L, 2L, 3L, 4L, 5L, 6L));
		this.drawn.add(List.of(3L, 4L));
		this.drawn.add(List.of(5L, 6L, 7L));
		assertThat(check().duplicates()).isEqualTo(4);
	}

	@Test
	void findsAnIdThatDoesNotAscend() throws IOException {
		this.drawn.add(List.of(10L, 11L, 4L, 12L));
		IdCollector.Result result = check();
		assertThat(result.descents()).isEqualTo(1);
		assertThat(result.examples()).contains("thread-0 has 4 after 11");
	}

	@Test
	void ignoresAnIncompleteRun() throws IOException {
		Path file = this.directory.resolve("killed");
		write(file, List.of(1_000_000L, 1_000_001L, 9_000_000L));
		byte[] content = Files.readAllBytes(file);
		for (int length = 0; length < content.length; length++) {
			Files.write(file, Arrays.copyOf(content, length));
			IdCollector.Result result = IdCollector.check(List.of(file));
			assertThat(result.ids()).isIn(0L, 2L);
			assertThat(result.duplicates() + result.descents()).isZero();
		}
	}

}
