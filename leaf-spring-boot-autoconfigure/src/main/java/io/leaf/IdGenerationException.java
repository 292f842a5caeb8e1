// SPDX-License-Identifier: Apache-2.0

package io.leaf;

import org.jspecify.annotations.Nullable;

/**
 * Thrown when an ID cannot be issued. If possible, the message names the key or property
 * concerned and says what to do next. All other public exceptions of this library extend
 * this class.
 */
public class IdGenerationException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	/**
	 * Creates an exception.
	 * @param message what went wrong and what to do next
	 */
	public IdGenerationException(String message) {
		super(message);
	}

	/**
	 * Creates an exception with a cause.
	 * @param message what went wrong and what to do next
	 * @param cause the cause, or {@code null} if there is none
	 */
	public IdGenerationException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}
