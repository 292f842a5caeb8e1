// SPDX-License-Identifier: Apache-2.0

package io.leaf.server.api;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

import io.leaf.segment.SegmentStore;
import io.leaf.segment.SegmentStore.Raises;
import io.leaf.segment.SegmentStore.Unissued;
import io.leaf.segment.SegmentStore.Window;
import io.leaf.server.api.RefusedException.Reason;
import io.leaf.snowflake.SnowflakeLayout;
import io.leaf.snowflake.lease.Lease;
import io.leaf.support.IdArguments;
import jakarta.servlet.http.HttpServletRequest;

import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;

/**
 * The parameters of a request to {@link RangeServlet} or {@link LeaseServlet}.
 */
final class StoreRequest {

	/**
	 * The maximum number of values of one parameter.
	 */
	static final int MAX_ITEMS = 300;

	/**
	 * The maximum size of a body, which is the value of
	 * {@code server.tomcat.max-http-form-post-size} in application.yaml.
	 */
	private static final long MAX_BODY = 64 * 1024;

	private static final int MAX_NAME = 128;

	/**
	 * The maximum length of an owner, which is the length of the column {@code owner}.
	 */
	private static final int MAX_OWNER = 64;

	private static final int MAX_TEXT = 255;

	/**
	 * The earliest time that every database can represent.
	 */
	private static final Instant MIN_TIME = Instant.parse("0001-01-01T00:00:00Z");

	/**
	 * The end of the times that every database can represent, exclusive.
	 */
	private static final Instant END_TIME = Instant.parse("+10000-01-01T00:00:00Z");

	/**
	 * The character NUL, which PostgreSQL does not accept in texts.
	 */
	private static final char NUL = 0;

	private static final long MAX_TIMEOUT_MILLIS = 10_000;

	private static final long DEFAULT_TIMEOUT_MILLIS = 1_000;

	private final HttpServletRequest request;

	/**
	 * Creates the parameters of a request.
	 * @param request the HTTP request
	 * @throws RefusedException if the request has a body that is not a form. The
	 * parameters in such a body could not be read, and the request would mean something
	 * else without them
	 */
	StoreRequest(HttpServletRequest request) {
		if (hasBody(request) && !isForm(request.getContentType())) {
			throw malformed(
					"The body has the Content-Type '%s', but must have the Content-Type %s. Change it, or send the parameters in the query, without a body"
						.formatted((request.getContentType() != null) ? request.getContentType() : "",
								MediaType.APPLICATION_FORM_URLENCODED_VALUE));
		}
		this.request = request;
	}

	private static boolean hasBody(HttpServletRequest request) {
		long length = request.getContentLengthLong();
		// with HTTP/2, a body has neither of these headers if its length is not known
		boolean http2 = request.getProtocol().equals("HTTP/2.0");
		return length > 0 || (length < 0 && (request.getHeader(HttpHeaders.TRANSFER_ENCODING) != null
				|| (http2 && request.getContentType() != null)));
	}

	// like Tomcat, which ignores the body if the letter case differs
	private static boolean isForm(String contentType) {
		return contentType != null
				&& contentType.split(";", 2)[0].strip().equals(MediaType.APPLICATION_FORM_URLENCODED_VALUE);
	}

	/**
	 * Returns how large the body of the request can be. Does not read the body.
	 */
	long maxBodyBytes() {
		long length = this.request.getContentLengthLong();
		// Tomcat does not read a larger body
		return hasBody(this.request) ? Math.min((length < 0) ? MAX_BODY : length, MAX_BODY) : 0;
	}

	/**
	 * Returns the key, which is at the end of the path or in the parameter {@code key}.
	 * The parameter is for keys that cannot be part of a path.
	 */
	String key() {
		String path = this.request.getPathInfo();
		String key = (path != null && path.length() > 1) ? path.substring(1) : parameter("key");
		if (key == null) {
			throw malformed("The key is missing. Append the key to the path, or send it in the parameter 'key'");
		}
		return requireKey(key);
	}

	private static String requireKey(String key) {
		if (!IdArguments.isKey(key)) {
			throw malformed("The key is not valid: it must be a text of 1 to 128 characters");
		}
		return key;
	}

	/**
	 * Returns the keys in the parameter {@code key}, which must be the only parameter. If
	 * there are no parameters, the list is empty.
	 */
	List<String> keys() {
		parameter("key");
		for (String name : Collections.list(this.request.getParameterNames())) {
			if (!name.equals("key")) {
				throw malformed("The parameter '%s' is not known. Send only the parameter 'key'".formatted(name));
			}
		}
		return values("key").stream().map(StoreRequest::requireKey).distinct().toList();
	}

	List<Unissued> unissued() {
		List<String> keys = values("key");
		List<String> from = values("from");
		List<String> to = values("to");
		if (keys.isEmpty() || from.size() != keys.size() || to.size() != keys.size()) {
			throw malformed("Send the parameters 'key', 'from' and 'to' once for each key");
		}
		if (keys.stream().distinct().count() < keys.size()) {
			throw malformed("A key is repeated. Send each key once");
		}
		List<Unissued> unissued = new ArrayList<>();
		for (int i = 0; i < keys.size(); i++) {
			long first = number("from", from.get(i), 0, SegmentStore.MAX_END - 1);
			unissued.add(new Unissued(requireKey(keys.get(i)), first,
					number("to", to.get(i), first + 1, SegmentStore.MAX_END)));
		}
		return unissued;
	}

	private List<String> values(String name) {
		parameter(name);
		String[] values = this.request.getParameterValues(name);
		if (values != null && values.length > MAX_ITEMS) {
			throw malformed("There are more than %d parameters '%s'. Divide them among several requests"
				.formatted(MAX_ITEMS, name));
		}
		return (values != null) ? Arrays.asList(values) : List.of();
	}

	/**
	 * Returns the range of numbers and the period of time to which an allocation is
	 * limited, or {@code null} if the allocation is not limited.
	 */
	Window window() {
		if (parameter("until") == null) {
			return null;
		}
		long from = number("from", 0, SegmentStore.MAX_END - 1, null);
		return new Window(from, number("to", from + 1, SegmentStore.MAX_END, null), time("since", parameter("since")),
				time("until", parameter("until")),
				new Raises(number("gap", 0, Long.MAX_VALUE, 0L), number("raises", 0, Long.MAX_VALUE, 0L),
						values("raised-at").stream().map((text) -> time("raised-at", text)).toList()));
	}

	private static Instant time(String name, String text) {
		try {
			Instant time = Instant.parse(String.valueOf(text));
			if (!time.isBefore(MIN_TIME) && time.isBefore(END_TIME)) {
				return time;
			}
		}
		catch (DateTimeException ex) {
			// reported below
		}
		throw malformed("The parameter '%s' must be a time such as 2026-01-31T00:00:00Z in the years 1 to 9999"
			.formatted(name));
	}

	/**
	 * Returns the {@code leaf.name} of the application.
	 */
	String name() {
		String name = text("name");
		if (name.isBlank() || name.length() > MAX_NAME || name.contains("/")) {
			throw malformed("The parameter 'name' must be a leaf.name: 1 to %d characters, not blank and without '/'"
				.formatted(MAX_NAME));
		}
		return name;
	}

	/**
	 * Returns the layout of the application's IDs.
	 */
	SnowflakeLayout layout() {
		try {
			return new SnowflakeLayout(bits("timestamp-bits"), bits("worker-bits"), bits("sequence-bits"),
					SnowflakeLayout.Unit.valueOf(text("unit")), time("epoch", text("epoch")));
		}
		catch (IllegalArgumentException ex) {
			throw malformed("The layout is not valid: " + ex.getMessage());
		}
	}

	private int bits(String name) {
		return (int) number(name, 0, Long.SIZE, null);
	}

	/**
	 * Returns the content to be written to a lease record.
	 */
	Lease lease() {
		return new Lease(text("owner", MAX_OWNER), number("horizon", 0, Lease.MAX_TIME, null), text("host"),
				number("since", 0, Lease.MAX_TIME, null), number("reported", 0, Lease.MAX_TIME, null),
				number("new-version", 0, Long.MAX_VALUE - 1, null));
	}

	Set<Long> except() {
		return values("except").stream()
			.map((text) -> number("except", text, 0, Long.MAX_VALUE))
			.collect(Collectors.toSet());
	}

	private String text(String name) {
		return text(name, MAX_TEXT);
	}

	private String text(String name, int maxLength) {
		String text = parameter(name);
		if (text == null || text.length() > maxLength || text.indexOf(NUL) >= 0) {
			throw malformed("The parameter '%s' must be a text of at most %d characters, without NUL".formatted(name,
					maxLength));
		}
		return text;
	}

	Duration timeout() {
		return Duration.ofMillis(number("timeout", 1, MAX_TIMEOUT_MILLIS, DEFAULT_TIMEOUT_MILLIS));
	}

	boolean direct() {
		return "true".equals(parameter("direct"));
	}

	/**
	 * Returns the number in a parameter.
	 * @param name the parameter
	 * @param min the smallest number that is allowed
	 * @param max the largest number that is allowed
	 * @param other the default, or {@code null} if the parameter is required
	 * @throws RefusedException if the parameter is required but missing, or is not a
	 * number from {@code min} to {@code max}
	 */
	long number(String name, long min, long max, Long other) {
		String text = parameter(name);
		return (text == null && other != null) ? other : number(name, text, min, max);
	}

	private static long number(String name, String text, long min, long max) {
		try {
			long number = Long.parseLong(text);
			if (number >= min && number <= max) {
				return number;
			}
		}
		catch (NumberFormatException ex) {
			// reported below
		}
		throw malformed("The parameter '%s' must be a number from %d to %d".formatted(name, min, max));
	}

	private String parameter(String name) {
		try {
			return this.request.getParameter(name);
		}
		catch (IllegalStateException ex) {
			// thrown by Tomcat for parameters that it cannot read
			throw malformed("The parameters cannot be read. Send them as application/x-www-form-urlencoded in UTF-8");
		}
	}

	private static RefusedException malformed(String message) {
		return new RefusedException(Reason.MALFORMED, message);
	}

}
