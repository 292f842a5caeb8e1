// SPDX-License-Identifier: Apache-2.0

package io.leaf.server.api;

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
