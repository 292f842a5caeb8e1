// SPDX-License-Identifier: Apache-2.0

package io.leaf;

import org.jspecify.annotations.Nullable;

/**
 * Thrown in snowflake mode when the process has no usable worker ID. At startup, this
 * means that no worker ID could be leased. Later, it means that the lease has expired or
 * was lost, and that the process has not obtained another lease within the acquire
 * timeout. The cause is the last failure of the store, if there was one. After startup,
 * the library keeps trying to obtain a lease, so a later call can succeed.
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
