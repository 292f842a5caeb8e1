// SPDX-License-Identifier: Apache-2.0

package io.leaf;

import org.jspecify.annotations.Nullable;

/**
 * Thrown in segment mode when the numbers in memory are used up and the store has refused
 * further numbers, or has not provided them within the acquire timeout. Also thrown when
 * a key cannot be looked up, when the waiting thread is interrupted, and when the
 * generator is closed. The cause, if any, is the last failure of the store, or shows why
 * the call did not wait any longer. Unless the generator is closed, a later call can
 * succeed without a restart.
 */
public class SegmentUnavailableException extends IdGenerationException {

	private static final long serialVersionUID = 1L;

	private final String key;

	/**
	 * Creates an exception.
	 * @param key the requested key
	 * @param message what went wrong and what to do next
	 * @param cause the store's last failure, or why the call did not wait any longer;
	 * {@code null} if neither is known
	 */
	public SegmentUnavailableException(String key, String message, @Nullable Throwable cause) {
		super(message, cause);
		this.key = key;
	}

	/**
	 * Returns the requested key.
	 * @return the key
	 */
	public String getKey() {
		return this.key;
	}

}
