// SPDX-License-Identifier: Apache-2.0

package io.leaf.simulation;

/**
 * What is played once for a seed.
 */
interface Schedule {

	/**
	 * Plays it. What goes wrong is noted in the world.
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
