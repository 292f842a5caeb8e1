// SPDX-License-Identifier: Apache-2.0

package io.leaf.benchmarks;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Runs the same work on several threads at the same time.
 */
public final class Threads {

	private Threads() {
	}

	/**
	 * Runs work on each of several new threads.
	 * @param threads the number of threads
	 * @param work the work; its argument is the number of the thread, from 0
	 * @param <T> the type of the result
	 * @return the result of each thread
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
	 * The work of one thread.
	 *
	 * @param <T> the type of the result
	 */
	public interface Work<T> {

		/**
		 * Does the work of a thread.
		 * @param number the number of the thread, from 0
		 * @return the result
		 * @throws Exception if the work fails
		 */
		T run(int number) throws Exception;

	}

}
