/*
 * Copyright 2026 the Leaf project authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *      https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */

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
