// SPDX-License-Identifier: Apache-2.0

package io.leaf;

/**
 * Thrown when a call asks for what can never be given: a key or a count out of range. The
 * caller is at fault, and trying again does not help.
 */
public class InvalidRequestException extends IdGenerationException {

	private static final long serialVersionUID = 1L;

	/**
	 * Creates an exception.
	 * @param message the value that was given and the range allowed
	 */
	public InvalidRequestException(String message) {
		super(message);
	}

}
