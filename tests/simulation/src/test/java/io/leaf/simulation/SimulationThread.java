// SPDX-License-Identifier: Apache-2.0

package io.leaf.simulation;

/**
 * The thread that plays schedules. It has the ID of the simulated thread whose turn it
 * is: the library distinguishes threads by their IDs, so a schedule must not depend on
 * the thread that happens to play it.
 */
final class SimulationThread extends Thread {

	private long simulatedId;

	SimulationThread(Runnable schedules, String name) {
		super(null, schedules, name, 64L << 20);
		setDaemon(true);
	}

	/**
	 * Changes the simulated thread whose turn it is.
	 * @param simulatedId the ID of the simulated thread
	 * @return the previous one
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
