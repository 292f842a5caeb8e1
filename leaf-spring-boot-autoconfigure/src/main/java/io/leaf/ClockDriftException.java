// SPDX-License-Identifier: Apache-2.0

package io.leaf;

/**
 * Thrown at startup in snowflake mode when the clock of this process differs too much
 * from the clocks of the other processes or of the store, or is too far behind the
 * timestamps that this process used before a restart. With a wrong clock, the timestamps
 * in IDs would be wrong, but the IDs would still be unique. The message states the times
 * that were compared.
 */
public class ClockDriftException extends IdGenerationException {

	private static final long serialVersionUID = 1L;

	/**
	 * Creates an exception.
	 * @param message the times that were compared, the allowed difference and what to do
	 * next
	 */
	public ClockDriftException(String message) {
		super(message);
	}

}
