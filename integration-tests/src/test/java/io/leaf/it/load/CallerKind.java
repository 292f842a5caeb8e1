/*
 * Copyright 2026 the Leaf project authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *      https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */

package io.leaf.it.load;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * What kind of threads ask for IDs, and how many.
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
	 * Returns the first JDK that has such threads.
	 */
	int feature() {
		return this.feature;
	}

	/**
	 * Creates what starts the threads. Virtual ones are reached by reflection, since the
	 * code is compiled for JDK 17.
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
