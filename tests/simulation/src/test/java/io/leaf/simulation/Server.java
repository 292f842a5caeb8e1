// SPDX-License-Identifier: Apache-2.0

package io.leaf.simulation;

/**
 * A server that several processes use, such as a store. It may be unavailable.
 */
class Server {

	private boolean down;

	final boolean isDown() {
		return this.down;
	}

	final void down(boolean isDown) {
		this.down = isDown;
	}

}
