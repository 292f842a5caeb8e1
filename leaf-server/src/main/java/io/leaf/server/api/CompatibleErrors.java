// SPDX-License-Identifier: Apache-2.0

package io.leaf.server.api;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;

import io.leaf.server.api.Refusal.Reason;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.boot.json.JsonWriter;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;

/**
 * Answers as a deployed Leaf server does, for clients that look into the body: status 500
 * whatever has gone wrong, and the code of Meituan's {@code Result} in the message. Where
 * such a server answers 0 for an ID, because the mode is off, this is an error, too.
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
	public void write(Refusal refusal, String path, HttpServletResponse response) throws IOException {
		HttpStatus status = status(refusal.reason());
		response.setStatus(status.value());
		if (refusal.reason() == Reason.UNAUTHORIZED) {
			response.setHeader(HttpHeaders.WWW_AUTHENTICATE, "Bearer");
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
			case NOT_FOUND, UNAUTHORIZED, METHOD, MALFORMED -> reason.status();
			case UNKNOWN_KEY, MODE_OFF, UNAVAILABLE -> HttpStatus.INTERNAL_SERVER_ERROR;
		};
	}

	private static String message(Refusal refusal) {
		return switch (refusal.reason()) {
			case UNKNOWN_KEY -> "Result{id=-2, status=EXCEPTION}";
			case UNAVAILABLE -> "Result{id=-3, status=EXCEPTION}";
			case NOT_FOUND -> "No message available";
			case MODE_OFF, UNAUTHORIZED, METHOD, MALFORMED -> refusal.detail();
		};
	}

	/**
	 * The body.
	 *
	 * @param timestamp milliseconds since 1970
	 * @param status the status
	 * @param error the status in words
	 * @param exception the class that such a server names, or {@code null} for none
	 * @param message the code
	 * @param path the path of the request
	 */
	private record Answer(long timestamp, int status, String error, String exception, String message, String path) {

	}

}
