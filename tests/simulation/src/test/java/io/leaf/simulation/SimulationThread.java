// SPDX-License-Identifier: Apache-2.0

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
