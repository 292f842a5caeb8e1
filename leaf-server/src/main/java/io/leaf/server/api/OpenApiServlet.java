// SPDX-License-Identifier: Apache-2.0

package io.leaf.server.api;

import java.io.IOException;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.util.FileCopyUtils;

/**
 * Serves the OpenAPI description of the HTTP interface.
 */
final class OpenApiServlet extends HttpServlet {

	private static final long serialVersionUID = 1L;

	private final byte[] description;

	OpenApiServlet() {
		try {
			this.description = FileCopyUtils.copyToByteArray(getClass().getResourceAsStream("/openapi.json"));
		}
		catch (IOException ex) {
			throw new IllegalStateException("The resource /openapi.json cannot be read", ex);
		}
	}

	@Override
	protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
		if (!request.getMethod().equals("GET") && !request.getMethod().equals("HEAD")) {
			response.setStatus(HttpServletResponse.SC_METHOD_NOT_ALLOWED);
			response.setHeader(HttpHeaders.ALLOW, "GET, HEAD");
			return;
		}
		response.setContentType(MediaType.APPLICATION_JSON_VALUE);
		response.setContentLength(this.description.length);
		response.getOutputStream().write(this.description);
	}

}
