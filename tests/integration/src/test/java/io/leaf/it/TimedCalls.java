// SPDX-License-Identifier: Apache-2.0

package io.leaf.it;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * Calls of several processes on one machine, with the time at which each began and ended.
 */
final class TimedCalls {

	private final List<Call> calls = new ArrayList<>();

	/**
	 * Reads the files of processes that draw IDs in the way
	 * {@link DrawingProcess.How#TIMED}.
	 */
	static TimedCalls read(List<Path> files) throws IOException {
		TimedCalls calls = new TimedCalls();
		for (Path file : files) {
			long count = Files.size(file) / (3 * Long.BYTES);
			try (DataInputStream in = new DataInputStream(new BufferedInputStream(Files.newInputStream(file)))) {
				for (long i = 0; i < count; i++) {
					calls.add(in.readLong(), in.readLong(), in.readLong());
				}
			}
		}
		return calls;
	}

	void add(long begin, long id, long end) {
		this.calls.add(new Call(begin, id, end));
	}

	/**
	 * Returns the IDs in ascending order.
	 */
	long[] ids() {
		return this.calls.stream().mapToLong(Call::id).sorted().toArray();
	}

	/**
	 * Searches for a call that began after another one had ended, but has the smaller ID.
	 * @return both calls, or {@code null} if there are no such calls
	 */
	@Nullable String findDisorder() {
		this.calls.sort(Comparator.comparingLong(Call::id));
		// of the calls with smaller IDs, the one that began last
		Call latest = null;
		for (Call call : this.calls) {
			if (latest != null && call.end < latest.begin) {
				return latest + " began after " + call + " had ended";
			}
			latest = (latest == null || call.begin > latest.begin) ? call : latest;
		}
		return null;
	}

	private record Call(long begin, long id, long end) {

	}

}
