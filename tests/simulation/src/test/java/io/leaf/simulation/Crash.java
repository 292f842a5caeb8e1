// SPDX-License-Identifier: Apache-2.0

package io.leaf.simulation;

/**
 * Ends the simulated threads of a process that has been killed, wherever they are.
 * Nothing that the code on the way out does has an effect: the world does not answer it
 * any more.
 */
final class Crash extends Error {

	private static final long serialVersionUID = 1L;

	static final Crash CRASH = new Crash();

	private Crash() {
		super("killed", null, false, false);
	}

}
