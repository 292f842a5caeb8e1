// SPDX-License-Identifier: Apache-2.0

package io.leaf.server.console;

/**
 * Thrown where nobody more can watch the live page.
 */
class TooManyViewersException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	TooManyViewersException() {
		super("%d browsers watch this server already, or it is stopping. Close one of them, or ask /actuator/leaf"
			.formatted(ReportStream.MAX_VIEWERS));
	}

}
