// SPDX-License-Identifier: Apache-2.0

package io.leaf;

import org.jspecify.annotations.Nullable;

/**
 * Thrown in segment mode when the numbers in memory are used up and no further segment
 * came from the store within the acquire timeout. The cause is the store's last failure,
 * where there was one. The library keeps trying by itself; a later call may succeed.
 */
public class SegmentUnavailableException extends IdGenerationException {

	private static final long serialVersionUID = 1L;

	private final String key;

	/**
	 * Creates an exception.
	 * @param key the key asked for
	 * @param message what went wrong and what to do next
	 * @param cause the store's last failure, or {@code null} if it has not answered
	 */
	public SegmentUnavailableException(String key, String message, @Nullable Throwable cause) {
		super(message, cause);
		this.key = key;
	}

	/**
	 * Returns the key asked for.
	 * @return the key
	 */
	public String getKey() {
		return this.key;
	}

}
