// SPDX-License-Identifier: Apache-2.0

package io.leaf.server.api;

import java.io.IOException;

import io.leaf.server.api.RefusedException.Reason;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletResponse;
import org.apache.catalina.Wrapper;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ValveBase;

/**
 * Responds to requests that Tomcat refuses before it looks for a servlet, for example
 * because the path is invalid or the method is TRACE. Without this valve, Tomcat would
 * respond with an HTML page.
 */
final class RefusedRequestValve extends ValveBase {

	private static final RefusedException INVALID = new RefusedException(Reason.MALFORMED,
			"The path or a header is not valid. The key must be encoded in UTF-8, and must not contain a slash, a backslash or NUL, even in encoded form");

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
		this.errors.write(method ? RefusedException.otherMethod(allowed(request.getWrapper())) : INVALID,
				request.getRequestURI(), response);
	}

	private static String allowed(Wrapper wrapper) {
		return (wrapper != null && wrapper.getServlet() instanceof StoreServlet) ? StoreServlet.METHOD
				: IdServlet.METHODS;
	}

}
