/*
 * Copyright 2026 the Leaf project authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *      https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */

package io.leaf.sample.server.console;

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
