// SPDX-License-Identifier: Apache-2.0

package io.leaf.support;

import java.util.Objects;

/**
 * Returns what a failure reports, for messages.
 */
public final class FailureText {

	private FailureText() {
	}

	/**
	 * Returns the message of a failure, or the name of its class if it has no message.
	 * @param failure the failure
	 * @return the text
	 */
	public static String of(Throwable failure) {
		return Objects.requireNonNullElseGet(failure.getMessage(), failure::toString);
	}

}
