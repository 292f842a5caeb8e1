// SPDX-License-Identifier: Apache-2.0

package io.leaf;

import org.jspecify.annotations.Nullable;

/**
 * Thrown in segment mode when the numbers in memory are used up and the store has not
 * provided another segment within the acquire timeout. The cause is the store's last
 * failure, if there was one. The library keeps retrying on its own; a later call may
 * succeed.
 */
public class SegmentUnavailableException extends IdGenerationException {

	private static final long serialVersionUID = 1L;

	private final String key;

	/**
	 * Creates an exception.
	 * @param key the requested key
	 * @param message what went wrong and what to do next
	 * @param cause the store's last failure, or {@code null} if it has not answered
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
