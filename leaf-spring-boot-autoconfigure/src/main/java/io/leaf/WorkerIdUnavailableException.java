// SPDX-License-Identifier: Apache-2.0

package io.leaf;

import org.jspecify.annotations.Nullable;

/**
 * Thrown in snowflake mode when the process has no usable worker ID: at startup, if no
 * worker ID can be leased; later, if the lease has expired or was lost, and the process
 * has not obtained a lease within the acquire timeout. The cause is the store's last
 * failure, if there was one. After startup, the library keeps retrying on its own, so a
 * later call can succeed.
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
