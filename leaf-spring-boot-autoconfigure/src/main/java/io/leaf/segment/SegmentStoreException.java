// SPDX-License-Identifier: Apache-2.0

package io.leaf.segment;

import io.leaf.IdGenerationException;
import org.jspecify.annotations.Nullable;

/**
 * Thrown by a {@link SegmentStore} that could not do what was asked. The message is
 * complete: it names the table or key and says what to do.
 */
public class SegmentStoreException extends IdGenerationException {

	private static final long serialVersionUID = 1L;

	private final boolean refusal;

	/**
	 * Creates an exception.
	 * @param message what went wrong and what to do next
	 * @param cause the reason, or {@code null} if there is none to tell
	 * @param refusal whether the store answered, and will answer the same until somebody
	 * changes the data or the configuration: there is no point in waiting for the next
	 * attempt
	 */
	public SegmentStoreException(String message, @Nullable Throwable cause, boolean refusal) {
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
