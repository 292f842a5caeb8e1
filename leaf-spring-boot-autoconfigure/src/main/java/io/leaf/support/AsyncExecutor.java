// SPDX-License-Identifier: Apache-2.0

package io.leaf.support;

/**
 * Runs the steps of calls whose callers do not wait, and completes these calls. A step is
 * a task for a call, such as an attempt to serve the call.
 */
public interface AsyncExecutor {

	/**
	 * Hands over a step, which runs as soon as possible. Any thread may call this method,
	 * even an event loop, because the method takes no lock and never parks.
	 * @param step the step, which must not wait, because steps run one at a time
	 */
	void execute(Runnable step);

	/**
	 * Runs a step after a delay, or earlier if this executor is closed. Only steps may
	 * call this method.
	 * @param step the step
	 * @param nanos the delay in nanoseconds
	 * @return a task that cancels the step. Only steps may run this task
	 */
	Runnable schedule(Runnable step, long nanos);

	/**
	 * Completes a call on a thread that does not run steps, because the completion also
	 * runs the code that the application has attached to the call, and this code may
	 * block.
	 * @param completion completes the call
	 */
	void complete(Runnable completion);

	/**
	 * Runs all scheduled steps without waiting for their delays, and then ends the thread
	 * that runs steps. This method must be called after the generator has been closed,
	 * because the calls that these steps resume would otherwise wait again. A step that
	 * is handed over later may run on the thread that hands the step over.
	 */
	void close();

}
