// SPDX-License-Identifier: Apache-2.0

package io.leaf;

import org.jspecify.annotations.Nullable;

/**
 * Thrown in snowflake mode when there is no worker ID to issue IDs with: at start, when
 * none can be leased; later, when the lease has run out and the store has not renewed it
 * within the acquire timeout. The cause is the store's last failure, where there was one.
 * The library keeps trying by itself; a later call may succeed.
 */
public class WorkerIdUnavailableException extends IdGenerationException {

	private static final long serialVersionUID = 1L;

	/**
	 * Creates an exception.
	 * @param message what went wrong and what to do next
	 * @param cause the store's last failure, or {@code null} if there is none to tell
	 */
	public WorkerIdUnavailableException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}
