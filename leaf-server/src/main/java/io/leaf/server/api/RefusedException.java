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

	private final String allowed;

	RefusedException(Reason reason, String message) {
		this(reason, message, null);
	}

	private RefusedException(Reason reason, String message, String allowed) {
		// without a stack trace, which would never be shown and would be costly if bad
		// requests are frequent
		super(message, null, false, false);
		this.reason = reason;
		this.allowed = allowed;
	}

	/**
	 * Returns the exception for a request whose method the path does not accept.
	 * @param allowed the methods that the path accepts, separated by commas
	 */
	static RefusedException otherMethod(String allowed) {
		return new RefusedException(Reason.METHOD,
				"The method must be " + (allowed.contains(",") ? "one of " : "") + allowed, allowed);
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
	 * Returns the methods that the path accepts, separated by commas, or {@code null} if
	 * the reason is not {@link Reason#METHOD}.
	 */
	String allowed() {
		return this.allowed;
	}

	/**
	 * The reason why a request is refused or has failed.
	 */
	enum Reason {

		/**
		 * The path, a parameter or the key is invalid.
		 */
		MALFORMED(HttpStatus.BAD_REQUEST),

		/**
		 * The path does not exist.
		 */
		NOT_FOUND(HttpStatus.NOT_FOUND),

		/**
		 * The key does not exist.
		 */
		UNKNOWN_KEY(HttpStatus.NOT_FOUND),

		/**
		 * The mode that the path names (segment or snowflake) is disabled.
		 */
		MODE_OFF(HttpStatus.NOT_FOUND),

		/**
		 * The request requires a token, but contains no token or a wrong token.
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
		 * The request, the data or the configuration must be changed. Repeating the
		 * request does not help.
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
