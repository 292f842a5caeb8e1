// SPDX-License-Identifier: Apache-2.0

package io.leaf;

/**
 * Thrown when a request can never be fulfilled, for example because the key is too long
 * or the count is out of range. The caller is at fault, and retrying does not help.
 */
public class InvalidRequestException extends IdGenerationException {

	private static final long serialVersionUID = 1L;

	/**
	 * Creates an exception.
	 * @param message the given value, and which values are allowed
	 */
	public InvalidRequestException(String message) {
		super(message);
	}

}
