// SPDX-License-Identifier: Apache-2.0

package io.leaf;

/**
 * Thrown at start in snowflake mode when this process's clock is too far from the others
 * to issue IDs that tell the time. The message names both clocks. Uniqueness does not
 * depend on this check.
 */
public class ClockDriftException extends IdGenerationException {

	private static final long serialVersionUID = 1L;

	/**
	 * Creates an exception.
	 * @param message both clocks, the allowed difference and what to do next
	 */
	public ClockDriftException(String message) {
		super(message);
	}

}
