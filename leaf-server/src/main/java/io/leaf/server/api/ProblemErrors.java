// SPDX-License-Identifier: Apache-2.0

package io.leaf.server.api;

import java.io.IOException;
import java.nio.charset.StandardCharsets;

import io.leaf.server.api.RefusedException.Reason;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.boot.json.JsonWriter;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;

/**
 * Error responses that contain a problem detail as defined by RFC 9457. The reason of the
 * {@link RefusedException} determines the status.
 */
final class ProblemErrors implements ApiErrors {

	/**
	 * The problem type of a response for an unknown key. Applications that take ranges
	 * recognize an unknown key by this type.
	 */
	private static final String UNKNOWN_KEY = "urn:leaf:unknown-key";

	private static final String SECONDS_TO_RETRY = "1";

	private static final JsonWriter<Problem> JSON = JsonWriter.of((members) -> {
		members.add("type", Problem::type);
		members.add("title", Problem::title);
		members.add("status", Problem::status);
		members.add("detail", Problem::detail);
		members.add("instance", Problem::instance);
	});

	@Override
	public void write(RefusedException refusal, String path, HttpServletResponse response) throws IOException {
		HttpStatus status = refusal.reason().status();
		response.setStatus(status.value());
		switch (refusal.reason()) {
			case UNAVAILABLE, TOO_MANY -> response.setHeader(HttpHeaders.RETRY_AFTER, SECONDS_TO_RETRY);
			case UNAUTHORIZED -> response.setHeader(HttpHeaders.WWW_AUTHENTICATE, "Bearer");
			case METHOD -> response.setHeader(HttpHeaders.ALLOW, refusal.allowed());
			default -> {
			}
		}
		response.setContentType(MediaType.APPLICATION_PROBLEM_JSON_VALUE);
		byte[] body = JSON
			.writeToString(new Problem((refusal.reason() == Reason.UNKNOWN_KEY) ? UNKNOWN_KEY : "about:blank",
					status.getReasonPhrase(), status.value(), refusal.getMessage(), path))
			.getBytes(StandardCharsets.UTF_8);
		response.setContentLength(body.length);
		response.getOutputStream().write(body);
	}

	/**
	 * A problem detail.
	 *
	 * @param type a URI that identifies the kind of problem
	 * @param title the reason phrase of the status
	 * @param status the status code
	 * @param detail what is wrong, and what to do
	 * @param instance the path of the request
	 */
	private record Problem(String type, String title, int status, String detail, String instance) {

	}

}
