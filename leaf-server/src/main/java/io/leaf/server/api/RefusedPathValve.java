// SPDX-License-Identifier: Apache-2.0

package io.leaf.server.api;

import java.io.IOException;

import io.leaf.server.api.RefusedException.Reason;
import jakarta.servlet.ServletException;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ValveBase;

/**
 * Responds to requests whose path Tomcat refuses before it looks for a servlet. Otherwise
 * they would get an HTML page.
 */
final class RefusedPathValve extends ValveBase {

	private static final RefusedException REFUSAL = new RefusedException(Reason.MALFORMED,
			"The path cannot be decoded. A key in a path cannot contain a slash, a backslash or NUL, encoded or not, and must be encoded in UTF-8");

	private final ApiErrors errors;

	RefusedPathValve(ApiErrors errors) {
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
		this.errors.write(REFUSAL, request.getRequestURI(), response);
	}

}
