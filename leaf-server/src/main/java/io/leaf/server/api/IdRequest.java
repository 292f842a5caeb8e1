// SPDX-License-Identifier: Apache-2.0

package io.leaf.server.api;

import io.leaf.server.api.Refusal.Reason;
import jakarta.servlet.http.HttpServletRequest;

/**
 * What a request asks for.
 *
 * @param mode {@code segment} or {@code snowflake}
 * @param key the key
 * @param count how many IDs, or 0 for a single one that is not in a list
 */
record IdRequest(String mode, String key, int count) {

	private static final String SEGMENT = "/api/segment/get/";

	private static final String SNOWFLAKE = "/api/snowflake/get/";

	/**
	 * Reads a request.
	 * @param request the request
	 * @return what it asks for
	 * @throws RefusedException if it asks for nothing that is there
	 */
	static IdRequest of(HttpServletRequest request) {
		String path = (request.getPathInfo() != null) ? request.getPathInfo() : "";
		if (path.startsWith(SEGMENT)) {
			return new IdRequest("segment", key(path, SEGMENT.length()), count(request));
		}
		if (path.startsWith(SNOWFLAKE)) {
			return new IdRequest("snowflake", key(path, SNOWFLAKE.length()), count(request));
		}
		throw noSuchPath();
	}

	private static String key(String path, int from) {
		// as with a deployed server, a slash at the end does no harm
		int to = path.endsWith("/") ? path.length() - 1 : path.length();
		if (to <= from || path.lastIndexOf('/', to - 1) >= from) {
			throw noSuchPath();
		}
		return path.substring(from, to);
	}

	private static RefusedException noSuchPath() {
		return new RefusedException(Reason.NOT_FOUND, "Ask for /api/segment/get/{key} or /api/snowflake/get/{key}");
	}

	private static int count(HttpServletRequest request) {
		if (request.getQueryString() == null) {
			return 0;
		}
		String count = parameter(request, "count");
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
			// said below
		}
		throw new RefusedException(Reason.MALFORMED, "count must be a number from 1 to " + IdServlet.MAX_COUNT);
	}

	private static String parameter(HttpServletRequest request, String name) {
		try {
			return request.getParameter(name);
		}
		catch (IllegalStateException ex) {
			// Tomcat's word for parameters that cannot be read
			throw new RefusedException(Reason.MALFORMED, "The parameters cannot be read");
		}
	}

	boolean isBatch() {
		return this.count > 0;
	}

}
