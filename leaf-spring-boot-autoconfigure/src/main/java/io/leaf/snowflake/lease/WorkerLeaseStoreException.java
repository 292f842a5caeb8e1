// SPDX-License-Identifier: Apache-2.0

package io.leaf.snowflake.lease;

import io.leaf.IdGenerationException;
import org.jspecify.annotations.Nullable;

/**
 * Thrown by a {@link WorkerLeaseStore} that cannot do what it was asked for.
 */
public class WorkerLeaseStoreException extends IdGenerationException {

	private static final long serialVersionUID = 1L;

	private final boolean refusal;

	/**
	 * Creates an exception.
	 * @param message what went wrong and what to do next; holds no credential
	 * @param cause the reason, or {@code null} if there is none to tell
	 * @param refusal whether the store answered, and will answer the same until somebody
	 * changes the data or the configuration: there is no point in another attempt
	 */
	public WorkerLeaseStoreException(String message, @Nullable Throwable cause, boolean refusal) {
		super(message, cause);
		this.refusal = refusal;
	}

	/**
	 * Returns whether the same request will fail until somebody changes the data or the
	 * configuration.
	 * @return {@code true} for a refusal, {@code false} for a failure that may pass
	 */
	public boolean isRefusal() {
		return this.refusal;
	}

}
