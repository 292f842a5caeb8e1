// SPDX-License-Identifier: Apache-2.0

package io.leaf;

import org.jspecify.annotations.Nullable;

/**
 * Thrown in snowflake mode when the process has no usable worker ID. At startup, this
 * means that no worker ID could be leased. Later, it means that the lease has expired or
 * was lost, or that the state file was not written in time, and that the process has not
 * recovered within the acquire timeout. The cause, if any, is why the store could not be
 * used at startup, or why the last renewal failed. After startup, the library keeps
 * trying to recover, so a later call can succeed.
 */
public class WorkerIdUnavailableException extends IdGenerationException {

	private static final long serialVersionUID = 1L;

	/**
	 * Creates an exception.
	 * @param message what went wrong and what to do next
	 * @param cause why the store could not be used or why the last renewal failed, or
	 * {@code null} if there was no such failure
	 */
	public WorkerIdUnavailableException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}
