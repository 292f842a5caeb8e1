// SPDX-License-Identifier: Apache-2.0

package io.leaf.test.server;

/**
 * A server that a test can stop, kill and freeze. It keeps its port and its data as long
 * as this object is used. Each method returns when its action is complete.
 */
public interface ControllableServer extends DatabaseServer, AutoCloseable {

	/**
	 * Kills the server, as {@code kill -9} does. Committed data is still there after
	 * {@link #start()}.
	 */
	void kill();

	/**
	 * Shuts the server down gracefully, even if clients are connected.
	 */
	void stop();

	/**
	 * Starts the server again after {@link #kill()} or {@link #stop()}, and waits until
	 * it accepts connections.
	 */
	void start();

	/**
	 * Freezes the server ({@code SIGSTOP}): connections stay open, but the server does
	 * not answer.
	 */
	void pause();

	/**
	 * Resumes a paused server.
	 */
	void resume();

	/**
	 * Terminates the server permanently and deletes its data.
	 */
	@Override
	void close();

}
