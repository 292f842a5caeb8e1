// SPDX-License-Identifier: Apache-2.0

package io.leaf;

import org.jspecify.annotations.Nullable;

/**
 * Thrown in snowflake mode when the process has no usable worker ID: at startup, when no
 * worker ID can be leased; later, when the lease has expired and has not been renewed
 * within the acquire timeout. The cause is the store's last failure, if there was one.
 * The library keeps retrying on its own; a later call may succeed.
 */
public class WorkerIdUnavailableException extends IdGenerationException {

	private static final long serialVersionUID = 1L;

	/**
	 * Creates an exception.
	 * @param message what went wrong and what to do next
	 * @param cause the store's last failure, or {@code null} if there is none
	 */
	public WorkerIdUnavailableException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}
