// SPDX-License-Identifier: Apache-2.0

package io.leaf.segment;

import io.leaf.IdGenerationException;
import org.jspecify.annotations.Nullable;

/**
 * Thrown if a {@link SegmentStore} could not do what was requested. The message usually
 * names the table or the key, and says what to do.
 */
public class SegmentStoreException extends IdGenerationException {

	private static final long serialVersionUID = 1L;

	private final boolean refusal;

	/**
	 * Creates an exception.
	 * @param message what went wrong and what to do next
	 * @param cause the cause, or {@code null} if there is none
	 * @param refusal whether the store has answered, and will give the same answer until
	 * the data or the configuration is changed or, for a key with periods, a later period
	 * begins. It is then pointless to wait for the next attempt
	 */
	public SegmentStoreException(String message, @Nullable Throwable cause, boolean refusal) {
		super(message, cause);
		this.refusal = refusal;
	}

	/**
	 * Returns whether the same request will fail until the data or the configuration is
	 * changed or, for a key with periods, a later period begins.
	 * @return {@code true} for a refusal, {@code false} for a failure that may be
	 * temporary
	 */
	public boolean isRefusal() {
		return this.refusal;
	}

}
