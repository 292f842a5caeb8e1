// SPDX-License-Identifier: Apache-2.0

package io.leaf;

/**
 * Thrown when IDs of a key that does not exist are requested. In segment mode, this is a
 * key without a row in {@code leaf_alloc}. A row that is added later is found without a
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
