// SPDX-License-Identifier: Apache-2.0

package io.leaf.simulation;

/**
 * A schedule, which is played once for a seed.
 */
interface Schedule {

	/**
	 * Plays the schedule. Violations are recorded in the world.
	 */
	void play();

	/**
	 * Returns which faults have happened.
	 */
	Faults faults();

	/**
	 * Returns how many IDs were drawn.
	 */
	int issuedIds();

}
