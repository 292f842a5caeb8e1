// SPDX-License-Identifier: Apache-2.0

package io.leaf.server.api;

import java.io.IOException;

import io.leaf.server.api.RefusedException.Reason;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletResponse;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ValveBase;

/**
 * Responds to requests whose path is invalid or whose method is TRACE. Tomcat refuses
 * these requests before it looks for a servlet, and would itself respond with an HTML
 * page.
 */
final class RefusedRequestValve extends ValveBase {

	private static final RefusedException INVALID_PATH = new RefusedException(Reason.MALFORMED,
			"The path is not valid. The key must be encoded in UTF-8, and must not contain a slash, a backslash or NUL, even in encoded form");

	private final ApiErrors errors;

	RefusedRequestValve(ApiErrors errors) {
		super(true);
		this.errors = errors;
	}

	@Override
	public void invoke(Request request, Response response) throws IOException, ServletException {
		if (!response.isError()) {
			getNext().invoke(request, response);
			return;
		}
		response.setSuspended(false);
		boolean method = response.getStatus() == HttpServletResponse.SC_METHOD_NOT_ALLOWED;
		this.errors.write(method ? IdServlet.otherMethod() : INVALID_PATH, request.getRequestURI(), response);
	}

}
