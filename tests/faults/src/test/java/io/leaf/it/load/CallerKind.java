// SPDX-License-Identifier: Apache-2.0

package io.leaf.it.load;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * The kinds of threads that request IDs, and their number.
 */
enum CallerKind {

	PLATFORM(64, 17, "64 platform threads"), VIRTUAL(10_000, 21, "10,000 virtual threads");

	private final int count;

	private final int feature;

	private final String description;

	CallerKind(int count, int feature, String description) {
		this.count = count;
		this.feature = feature;
		this.description = description;
	}

	int count() {
		return this.count;
	}

	/**
	 * Returns the feature version of the first JDK that has such threads.
	 */
	int feature() {
		return this.feature;
	}

	/**
	 * Creates the executor that starts the threads. Virtual threads are created by
	 * reflection, because the code is compiled for JDK 17.
	 */
	ExecutorService executor() throws ReflectiveOperationException {
		return (this == PLATFORM) ? Executors.newFixedThreadPool(this.count)
				: (ExecutorService) Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
	}

	@Override
	public String toString() {
		return this.description;
	}

}
