// SPDX-License-Identifier: Apache-2.0

package io.leaf.server.api;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;

import io.leaf.server.api.RefusedException.Reason;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.boot.json.JsonWriter;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;

/**
 * Error responses for clients that parse the error responses of a server of Meituan's
 * Leaf. If no ID can be issued, the status is 500 and the message contains the code of
 * Meituan's {@code Result}, as on a server of Meituan's Leaf. If segment or snowflake
 * mode is disabled, a request for its IDs also gets the status 500, whereas a server of
 * Meituan's Leaf returns the ID 0. Other requests that are refused get a status 4xx.
 */
final class CompatibleErrors implements ApiErrors {

	private static final String EXCEPTION = "com.sankuai.inf.leaf.server.exception.LeafServerException";

	private static final JsonWriter<Answer> JSON = JsonWriter.of((members) -> {
		members.add("timestamp", Answer::timestamp);
		members.add("status", Answer::status);
		members.add("error", Answer::error);
		members.add("exception", Answer::exception).whenNotNull();
		members.add("message", Answer::message);
		members.add("path", Answer::path);
	});

	private final Clock clock;

	CompatibleErrors(Clock clock) {
		this.clock = clock;
	}

	@Override
	public void write(RefusedException refusal, String path, HttpServletResponse response) throws IOException {
		HttpStatus status = status(refusal.reason());
		response.setStatus(status.value());
		switch (refusal.reason()) {
			case UNAUTHORIZED -> response.setHeader(HttpHeaders.WWW_AUTHENTICATE, "Bearer");
			case METHOD -> response.setHeader(HttpHeaders.ALLOW, refusal.allowed());
			default -> {
			}
		}
		boolean failed = status == HttpStatus.INTERNAL_SERVER_ERROR;
		Answer answer = new Answer(this.clock.millis(), status.value(), status.getReasonPhrase(),
				failed ? EXCEPTION : null, message(refusal), path);
		response.setContentType("application/json;charset=UTF-8");
		byte[] body = JSON.writeToString(answer).getBytes(StandardCharsets.UTF_8);
		response.setContentLength(body.length);
		response.getOutputStream().write(body);
	}

	private static HttpStatus status(Reason reason) {
		return switch (reason) {
			case NOT_FOUND, UNAUTHORIZED, FORBIDDEN, REFUSED, TOO_MANY, METHOD, MALFORMED -> reason.status();
			case UNKNOWN_KEY, MODE_OFF, UNAVAILABLE -> HttpStatus.INTERNAL_SERVER_ERROR;
		};
	}

	private static String message(RefusedException refusal) {
		return switch (refusal.reason()) {
			case UNKNOWN_KEY -> "Result{id=-2, status=EXCEPTION}";
			case UNAVAILABLE -> "Result{id=-3, status=EXCEPTION}";
			case NOT_FOUND -> "No message available";
			case MODE_OFF, UNAUTHORIZED, FORBIDDEN, REFUSED, TOO_MANY, METHOD, MALFORMED -> refusal.getMessage();
		};
	}

	/**
	 * The body of the response.
	 *
	 * @param timestamp the time in milliseconds since 1970
	 * @param status the status code
	 * @param error the reason phrase of the status
	 * @param exception the name of the exception class that a server of Meituan's Leaf
	 * returns, or {@code null} if the status is not 500
	 * @param message a text that contains the code of Meituan's {@code Result} or, if no
	 * code applies, another text
	 * @param path the path of the request
	 */
	private record Answer(long timestamp, int status, String error, String exception, String message, String path) {

	}

}
