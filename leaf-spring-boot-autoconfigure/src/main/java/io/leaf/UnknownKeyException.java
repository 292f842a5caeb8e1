// SPDX-License-Identifier: Apache-2.0

package io.leaf;

/**
 * Thrown when the key of a requested ID does not exist. In segment mode, a key exists if
 * {@code leaf_alloc} has a row for it. If the row is added later, it is found without a
 * restart.
 */
public class UnknownKeyException extends IdGenerationException {

	private static final long serialVersionUID = 1L;

	private final String key;

	/**
	 * Creates an exception.
	 * @param key the requested key
	 * @param message what went wrong and what to do next
	 */
	public UnknownKeyException(String key, String message) {
		super(message);
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
