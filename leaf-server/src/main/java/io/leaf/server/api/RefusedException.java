// SPDX-License-Identifier: Apache-2.0

package io.leaf.server.api;

import io.leaf.IdGenerationException;
import io.leaf.InvalidRequestException;
import io.leaf.UnknownKeyException;

import org.springframework.http.HttpStatus;

/**
 * Thrown when a request is refused or has failed. The message says what is wrong, and
 * what to do about it.
 */
final class RefusedException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	private final Reason reason;

	RefusedException(Reason reason, String message) {
		// no stack trace: bad requests can be frequent, and it would never be shown
		super(message, null, false, false);
		this.reason = reason;
	}

	static RefusedException of(IdGenerationException failure) {
		Reason reason = (failure instanceof InvalidRequestException) ? Reason.MALFORMED
				: (failure instanceof UnknownKeyException) ? Reason.UNKNOWN_KEY : Reason.UNAVAILABLE;
		return new RefusedException(reason, failure.getMessage());
	}

	Reason reason() {
		return this.reason;
	}

	/**
	 * The kinds of reasons.
	 */
	enum Reason {

		/**
		 * The path, a parameter or the key is invalid.
		 */
		MALFORMED(HttpStatus.BAD_REQUEST),

		/**
		 * There is nothing at this path.
		 */
		NOT_FOUND(HttpStatus.NOT_FOUND),

		/**
		 * There is no such key.
		 */
		UNKNOWN_KEY(HttpStatus.NOT_FOUND),

		/**
		 * The mode is disabled.
		 */
		MODE_OFF(HttpStatus.NOT_FOUND),

		/**
		 * The request requires a token, and has none or a wrong one.
		 */
		UNAUTHORIZED(HttpStatus.UNAUTHORIZED),

		/**
		 * The client may not send this request.
		 */
		FORBIDDEN(HttpStatus.FORBIDDEN),

		/**
		 * The client sends too many requests.
		 */
		TOO_MANY(HttpStatus.TOO_MANY_REQUESTS),

		/**
		 * Repeating the request does not help: the request, the data or the configuration
		 * must be changed.
		 */
		REFUSED(HttpStatus.CONFLICT),

		/**
		 * The request cannot be served at present, for example because the database is
		 * unavailable.
		 */
		UNAVAILABLE(HttpStatus.SERVICE_UNAVAILABLE),

		/**
		 * The path does not accept the method.
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
