// SPDX-License-Identifier: Apache-2.0

package io.leaf.server.console;

import org.springframework.http.HttpStatus;
import org.springframework.web.server.ResponseStatusException;

/**
 * Thrown where something of segment mode is asked for on a server without it.
 */
class SegmentModeOffException extends ResponseStatusException {

	private static final long serialVersionUID = 1L;

	SegmentModeOffException() {
		super(HttpStatus.NOT_FOUND, "Segment mode is disabled on this server (leaf.segment.enabled=false)");
	}

}
