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

package io.leaf.sample.server.api;

/**
 * Thrown where a request gets no IDs for a reason that is the server's own.
 */
final class RefusedException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	private final transient Refusal refusal;

	RefusedException(Refusal.Reason reason, String detail) {
		// nobody looks at the stack of a bad request, of which there may be many
		super(detail, null, false, false);
		this.refusal = new Refusal(reason, detail);
	}

	Refusal refusal() {
		return this.refusal;
	}

}
