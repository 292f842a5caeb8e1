// SPDX-License-Identifier: Apache-2.0

package io.leaf.benchmarks.report;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Runs the same work on several threads at once.
 */
public final class Threads {

	private Threads() {
	}

	/**
	 * Runs work on each of several new threads.
	 * @param threads how many
	 * @param work the work, given the number of its thread from 0
	 * @param <T> what it yields
	 * @return what each of them yielded
	 * @throws ExecutionException if the work failed
	 * @throws InterruptedException if the calling thread was interrupted
	 */
	public static <T> List<T> run(int threads, Work<T> work) throws ExecutionException, InterruptedException {
		ExecutorService executor = Executors.newFixedThreadPool(threads);
		try {
			List<Future<T>> futures = new ArrayList<>();
			for (int i = 0; i < threads; i++) {
				int number = i;
				futures.add(executor.submit(() -> work.run(number)));
			}
			List<T> results = new ArrayList<>();
			for (Future<T> future : futures) {
				results.add(future.get());
			}
			return results;
		}
		finally {
			executor.shutdownNow();
		}
	}

	/**
	 * What each of the threads does.
	 *
	 * @param <T> what it yields
	 */
	public interface Work<T> {

		/**
		 * Does the work of a thread.
		 * @param number the number of the thread, from 0
		 * @return what it yields
		 * @throws Exception if it fails
		 */
		T run(int number) throws Exception;

	}

}
