// SPDX-License-Identifier: Apache-2.0

package io.leaf.snowflake.lease;

import io.leaf.IdGenerationException;
import org.jspecify.annotations.Nullable;

/**
 * Thrown by a {@link WorkerLeaseStore} that could not do what was requested.
 */
public class WorkerLeaseStoreException extends IdGenerationException {

	private static final long serialVersionUID = 1L;

	private final boolean refusal;

	/**
	 * Creates an exception.
	 * @param message what went wrong and what to do next, without any credential
	 * @param cause the cause, or {@code null} if there is none
	 * @param refusal whether the store answered, and will give the same answer until the
	 * data or the configuration changes, so that a retry is pointless
	 */
	public WorkerLeaseStoreException(String message, @Nullable Throwable cause, boolean refusal) {
		super(message, cause);
		this.refusal = refusal;
	}

	/**
	 * Returns whether the same request will fail until the data or the configuration
	 * changes.
	 * @return {@code true} for a refusal, {@code false} for a failure that may be
	 * temporary
	 */
	public boolean isRefusal() {
		return this.refusal;
	}

}
