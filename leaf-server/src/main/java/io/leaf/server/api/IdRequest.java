// SPDX-License-Identifier: Apache-2.0

package io.leaf.server.api;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;

import io.leaf.server.api.RefusedException.Reason;
import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpHeaders;
import org.springframework.http.InvalidMediaTypeException;
import org.springframework.http.MediaType;

/**
 * A request for IDs.
 *
 * @param mode {@code segment} or {@code snowflake}
 * @param formatted whether the IDs are returned in the format of the key
 * @param key the key
 * @param count how many IDs to return as a list, or 0 to return a single ID, not as a
 * list
 * @param json whether the IDs are returned as JSON instead of text
 */
record IdRequest(String mode, boolean formatted, String key, int count, boolean json) {

	/**
	 * The size of an ID in JSON, with its quotes and the comma.
	 */
	private static final int DIGITS_BYTES = 22;

	/**
	 * The size of an ID in most formats, and of the objects from which the text is made.
	 */
	private static final int FORMATTED_BYTES = 150;

	private static final String SEGMENT = "/api/segment/";

	private static final String SNOWFLAKE = "/api/snowflake/";

	private static final String DIGITS = "get/";

	private static final String TEXT = "text/";

	private static final List<String> PREFIXES = List.of(SEGMENT + DIGITS, SEGMENT + TEXT, SNOWFLAKE + DIGITS,
			SNOWFLAKE + TEXT);

	private static final List<String> PATTERNS = PREFIXES.stream().map((prefix) -> prefix + "{key}").toList();

	/**
	 * Reads a request.
	 * @param request the HTTP request
	 * @return the request for IDs
	 * @throws RefusedException if the path or a parameter is invalid
	 */
	static IdRequest of(HttpServletRequest request) {
		String path = (request.getPathInfo() != null) ? request.getPathInfo() : "";
		if (path.startsWith(SEGMENT)) {
			return of("segment", path, SEGMENT.length(), request);
		}
		if (path.startsWith(SNOWFLAKE)) {
			return of("snowflake", path, SNOWFLAKE.length(), request);
		}
		throw noSuchPath();
	}

	private static IdRequest of(String mode, String path, int from, HttpServletRequest request) {
		boolean formatted = path.startsWith(TEXT, from);
		if (!formatted && !path.startsWith(DIGITS, from)) {
			throw noSuchPath();
		}
		String key = key(path, from + (formatted ? TEXT : DIGITS).length());
		return new IdRequest(mode, formatted, key, count(request), prefersJson(request));
	}

	private static String key(String path, int from) {
		// a trailing slash is accepted, because a server of Meituan's Leaf accepts it
		int to = path.endsWith("/") ? path.length() - 1 : path.length();
		if (to <= from || path.lastIndexOf('/', to - 1) >= from) {
			throw noSuchPath();
		}
		return path.substring(from, to);
	}

	private static RefusedException noSuchPath() {
		return new RefusedException(Reason.NOT_FOUND,
				"Use /api/segment/get/{key}, /api/segment/text/{key}, /api/snowflake/get/{key} or /api/snowflake/text/{key}");
	}

	private static int count(HttpServletRequest request) {
		String count = parameter(request.getQueryString(), "count");
		if (count == null) {
			return 0;
		}
		try {
			int number = Integer.parseInt(count);
			if (number >= 1 && number <= IdServlet.MAX_COUNT) {
				return number;
			}
		}
		catch (NumberFormatException ex) {
			// reported below
		}
		throw new RefusedException(Reason.MALFORMED, "count must be a number from 1 to " + IdServlet.MAX_COUNT);
	}

	/**
	 * Returns the first value of a parameter in the query. The query is decoded here,
	 * because {@link HttpServletRequest#getParameter} also reads the body of a form, for
	 * which the response would then wait, even to a client without a token.
	 */
	private static @Nullable String parameter(@Nullable String query, String name) {
		@Nullable String value = null;
		try {
			for (String parameter : (query != null) ? query.split("&") : new String[0]) {
				String[] parts = parameter.split("=", 2);
				boolean found = decode(parts[0]).equals(name);
				String decoded = (parts.length > 1) ? decode(parts[1]) : "";
				value = (found && value == null) ? decoded : value;
			}
		}
		catch (IllegalArgumentException ex) {
			throw new RefusedException(Reason.MALFORMED,
					"The parameters cannot be read. Percent-encode them in UTF-8, or remove all parameters except count");
		}
		return value;
	}

	private static String decode(String text) {
		return URLDecoder.decode(text, StandardCharsets.UTF_8);
	}

	/**
	 * Returns whether the header Accept gives JSON a higher quality value than text. If
	 * both values are equal, the response is text, because clients of a server of
	 * Meituan's Leaf expect digits, even though many of them list JSON first in this
	 * header by default.
	 */
	private static boolean prefersJson(HttpServletRequest request) {
		String accept = request.getHeader(HttpHeaders.ACCEPT);
		if (accept == null || accept.equals(MediaType.ALL_VALUE) || !accept.contains("json")) {
			return false;
		}
		try {
			List<MediaType> types = MediaType.parseMediaTypes(accept);
			return quality(types, MediaType.APPLICATION_JSON) > quality(types, MediaType.TEXT_PLAIN);
		}
		catch (InvalidMediaTypeException ex) {
			return false;
		}
	}

	private static double quality(List<MediaType> accepted, MediaType type) {
		return accepted.stream()
			.filter((candidate) -> candidate.includes(type))
			.mapToDouble(MediaType::getQualityValue)
			.max()
			.orElse(0);
	}

	/**
	 * Returns the pattern of a path, such as {@code /api/segment/get/{key}}.
	 * @param path the path
	 * @return the pattern, or {@code null} if the path is not one at which IDs are issued
	 */
	static @Nullable String pattern(@Nullable String path) {
		for (int i = 0; path != null && i < PREFIXES.size(); i++) {
			if (path.startsWith(PREFIXES.get(i))) {
				return PATTERNS.get(i);
			}
		}
		return null;
	}

	/**
	 * Returns about how large the body of the response can become, in bytes.
	 */
	long maxBytes() {
		return (long) this.count * (this.formatted ? FORMATTED_BYTES : DIGITS_BYTES);
	}

	boolean isBatch() {
		return this.count > 0;
	}

}
