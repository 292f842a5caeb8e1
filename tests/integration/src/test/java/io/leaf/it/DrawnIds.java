// SPDX-License-Identifier: Apache-2.0

package io.leaf.it;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.LongSupplier;
import java.util.stream.LongStream;

/**
 * The IDs that several servers and applications have issued during a test. An ID that is
 * issued twice is an error.
 */
final class DrawnIds {

	private static final int THREADS_EACH = 2;

	private static final int IDS_EACH = 50_000;

	private final List<long[]> segmentIds = new ArrayList<>();

	private final List<long[]> snowflakeIds = new ArrayList<>();

	/**
	 * Draws IDs from all sources at the same time, in both modes, with several threads
	 * per source and mode.
	 */
	void draw(Source... sources) throws Exception {
		List<Callable<long[]>> segments = new ArrayList<>();
		List<Callable<long[]>> snowflakes = new ArrayList<>();
		CyclicBarrier start = new CyclicBarrier(sources.length * THREADS_EACH * 2);
		for (Source source : sources) {
			for (int i = 0; i < THREADS_EACH; i++) {
				segments.add(() -> draw(source.segmentIds(), start));
				snowflakes.add(() -> draw(source.snowflakeIds(), start));
			}
		}
		ExecutorService threads = Executors.newCachedThreadPool();
		try {
			List<Future<long[]>> first = segments.stream().map(threads::submit).toList();
			List<Future<long[]>> second = snowflakes.stream().map(threads::submit).toList();
			add(first, this.segmentIds);
			add(second, this.snowflakeIds);
		}
		finally {
			threads.shutdownNow();
		}
	}

	private static long[] draw(LongSupplier ids, CyclicBarrier start) throws Exception {
		long[] drawn = new long[IDS_EACH];
		start.await();
		for (int i = 0; i < drawn.length && !Thread.currentThread().isInterrupted();) {
			drawn[i] = ids.getAsLong();
			// a server of Meituan's Leaf answers a negative code with status 500, and the
			// client tries again
			i += (drawn[i] >= 0) ? 1 : 0;
		}
		return drawn;
	}

	private static void add(List<Future<long[]>> drawn, List<long[]> all) throws Exception {
		for (Future<long[]> ids : drawn) {
			all.add(ids.get());
		}
		long[] sorted = all.stream().flatMapToLong(Arrays::stream).sorted().toArray();
		for (int i = 1; i < sorted.length; i++) {
			if (sorted[i] == sorted[i - 1]) {
				throw new AssertionError("%d was issued twice".formatted(sorted[i]));
			}
		}
	}

	LongStream snowflakeIds() {
		return this.snowflakeIds.stream().flatMapToLong(Arrays::stream);
	}

	/**
	 * A source of IDs.
	 *
	 * @param segmentIds issues an ID from segments, or a negative number
	 * @param snowflakeIds issues a snowflake ID, or a negative number
	 */
	record Source(LongSupplier segmentIds, LongSupplier snowflakeIds) {

	}

}
