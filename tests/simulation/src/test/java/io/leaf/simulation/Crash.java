// SPDX-License-Identifier: Apache-2.0

package io.leaf.simulation;

/**
 * Ends the simulated threads of a process that has been killed, at any point in their
 * code. The code that still runs while they end has no effect, because the world no
 * longer answers it.
 */
final class Crash extends Error {

	private static final long serialVersionUID = 1L;

	static final Crash CRASH = new Crash();

	private Crash() {
		super("killed", null, false, false);
	}

}
