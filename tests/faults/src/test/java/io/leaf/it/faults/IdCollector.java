// SPDX-License-Identifier: Apache-2.0

package io.leaf.it.faults;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/**
 * Checks all IDs of one ID space. Each thread of each process has written its own file.
 * Because a thread's IDs ascend, the files are merged like sorted files: a run that does
 * not begin above everything merged so far repeats IDs.
 * <p>
 * Memory: one buffer of {@value IdRunReader#BUFFER} bytes per file, regardless of the
 * number of IDs.
 */
final class IdCollector {

	private static final int EXAMPLES = 10;

	private IdCollector() {
	}

	/**
	 * Reads all files.
	 * @param files one file for each thread of each process
	 * @return the result
	 */
	static Result check(List<Path> files) throws IOException {
		List<IdRunReader> readers = new ArrayList<>();
		try {
			for (Path file : files) {
				readers.add(new IdRunReader(file));
			}
			return merge(readers);
		}
		finally {
			for (IdRunReader reader : readers) {
				reader.close();
			}
		}
	}

	private static Result merge(List<IdRunReader> readers) throws IOException {
		PriorityQueue<IdRunReader> heads = new PriorityQueue<>(Comparator.comparingLong(IdRunReader::first));
		for (IdRunReader reader : readers) {
			if (reader.next()) {
				heads.add(reader);
			}
		}
		Counts counts = new Counts();
		IdRunReader highest = null;
		long end = -1;
		for (IdRunReader head = heads.poll(); head != null; head = heads.poll()) {
			counts.ids += head.last() - head.first() + 1;
			if (head.first() <= end) {
				counts.duplicates += Math.min(head.last(), end) - head.first() + 1;
				counts.example("%s and %s both have %d".formatted(head, highest, head.first()));
			}
			if (head.last() > end) {
				end = head.last();
				highest = head;
			}
			long before = head.last();
			if (head.next()) {
				if (head.first() <= before) {
					counts.descents++;
					counts.example("%s has %d after %d".formatted(head, head.first(), before));
				}
				heads.add(head);
			}
		}
		return new Result(counts.ids, counts.duplicates, counts.descents, counts.examples);
	}

	private static final class Counts {

		private long ids;

		private long duplicates;

		private long descents;

		private final List<String> examples = new ArrayList<>();

		private void example(String example) {
			if (this.examples.size() < EXAMPLES) {
				this.examples.add(example);
			}
		}

	}

	/**
	 * The result of the check.
	 *
	 * @param ids the number of IDs
	 * @param duplicates how many of them occurred before
	 * @param descents how often an ID was not larger than the previous ID of its thread
	 * @param examples the first violations
	 */
	record Result(long ids, long duplicates, long descents, List<String> examples) {

	}

}
