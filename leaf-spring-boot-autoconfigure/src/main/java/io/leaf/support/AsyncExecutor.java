// SPDX-License-Identifier: Apache-2.0

package io.leaf.support;

/**
 * Runs the steps of calls whose callers do not wait, and completes these calls.
 */
public interface AsyncExecutor {

	/**
	 * Hands a step over. May be called by any thread, event loops included: it takes no
	 * lock, and never parks.
	 * @param step the step. It must not wait; steps run one at a time
	 */
	void execute(Runnable step);

	/**
	 * Runs a step later, or when this executor is closed. To be called by steps only.
	 * @param step the step
	 * @param nanos after how many nanoseconds
	 * @return cancels the step; to be run by steps only
	 */
	Runnable schedule(Runnable step, long nanos);

	/**
	 * Completes a call, on a thread that runs no steps: the code that an application has
	 * attached to the call runs with it, and may block.
	 * @param completion completes the call
	 */
	void complete(Runnable completion);

	/**
	 * Runs the scheduled steps, which find that their generator is closed, and ends the
	 * thread that runs steps. Later steps run on the threads that hand them over.
	 */
	void close();

}
