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

package io.leaf.simulation;

/**
 * The thread that plays schedules. It has the ID of the simulated thread whose turn it
 * is: where the library tells threads apart by their IDs, a schedule does not depend on
 * the thread that happens to play it.
 */
final class SimulationThread extends Thread {

	private long simulatedId;

	SimulationThread(Runnable schedules, String name) {
		super(null, schedules, name, 64L << 20);
		setDaemon(true);
	}

	/**
	 * Changes whose turn it is.
	 * @param simulatedId the ID of the simulated thread
	 * @return the one before
	 */
	static long becomes(long simulatedId) {
		SimulationThread thread = (SimulationThread) Thread.currentThread();
		long before = thread.simulatedId;
		thread.simulatedId = simulatedId;
		return before;
	}

	@Override
	public long getId() {
		return this.simulatedId;
	}

}
