// SPDX-License-Identifier: Apache-2.0

package io.leaf.simulation;

/**
 * A thread that plays schedules. It has the ID of the simulated thread that it plays at
 * present, because the library distinguishes threads by their IDs, and a schedule must
 * not depend on which thread plays it.
 */
final class SimulationThread extends Thread {

	private long simulatedId;

	SimulationThread(Runnable schedules, String name) {
		super(null, schedules, name, 64L << 20);
		setDaemon(true);
	}

	/**
	 * Switches to another simulated thread.
	 * @param simulatedId the ID of the simulated thread
	 * @return the ID of the previous simulated thread
	 */
	static long switchTo(long simulatedId) {
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
