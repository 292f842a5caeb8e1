// SPDX-License-Identifier: Apache-2.0

package io.leaf.server.api;

import io.leaf.IdGenerationException;
import io.leaf.InvalidRequestException;
import io.leaf.UnknownKeyException;

import org.springframework.http.HttpStatus;

/**
 * Why a request gets no IDs.
 *
 * @param reason the kind of reason
 * @param detail what is wrong, and what to do about it
 */
record Refusal(Reason reason, String detail) {

	static Refusal of(IdGenerationException failure) {
		Reason reason = (failure instanceof InvalidRequestException) ? Reason.MALFORMED
				: (failure instanceof UnknownKeyException) ? Reason.UNKNOWN_KEY : Reason.UNAVAILABLE;
		return new Refusal(reason, failure.getMessage());
	}

	/**
	 * The kinds of reasons.
	 */
	enum Reason {

		/**
		 * The path, a parameter or the key is none.
		 */
		MALFORMED(HttpStatus.BAD_REQUEST),

		/**
		 * The path names nothing that is there.
		 */
		NOT_FOUND(HttpStatus.NOT_FOUND),

		/**
		 * There is no such key.
		 */
		UNKNOWN_KEY(HttpStatus.NOT_FOUND),

		/**
		 * The mode is off.
		 */
		MODE_OFF(HttpStatus.NOT_FOUND),

		/**
		 * The key wants a token.
		 */
		UNAUTHORIZED(HttpStatus.UNAUTHORIZED),

		/**
		 * IDs cannot be issued at present.
		 */
		UNAVAILABLE(HttpStatus.SERVICE_UNAVAILABLE),

		/**
		 * The method asks for no ID.
		 */
		METHOD(HttpStatus.METHOD_NOT_ALLOWED);

		private final HttpStatus status;

		Reason(HttpStatus status) {
			this.status = status;
		}

		HttpStatus status() {
			return this.status;
		}

	}

}
