// SPDX-License-Identifier: Apache-2.0

package io.leaf.test.server;

/**
 * A server that a test may do harm to. It listens on the same port and keeps the same
 * data for as long as this object is used. All methods return after the fact.
 */
public interface ControllableServer extends DatabaseServer, AutoCloseable {

	/**
	 * Ends the server without warning, as {@code kill -9} does. What it has committed is
	 * there after {@link #start()}.
	 */
	void kill();

	/**
	 * Shuts the server down in order, connected clients or not.
	 */
	void stop();

	/**
	 * Starts the server again after {@link #kill()} or {@link #stop()}, and waits until
	 * it takes connections.
	 */
	void start();

	/**
	 * Freezes the server ({@code SIGSTOP}): connections stay open, nothing is answered.
	 */
	void pause();

	/**
	 * Lets a paused server go on.
	 */
	void resume();

	/**
	 * Ends the server for good and deletes its data.
	 */
	@Override
	void close();

}
