/*
 * Copyright 2026 the Leaf project authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *      https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */

package io.leaf.sample.server.api;

import java.io.IOException;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.util.FileCopyUtils;

/**
 * Serves the description of the API.
 */
final class OpenApiServlet extends HttpServlet {

	private static final long serialVersionUID = 1L;

	private final byte[] description;

	OpenApiServlet() {
		try {
			this.description = FileCopyUtils.copyToByteArray(getClass().getResourceAsStream("/openapi.json"));
		}
		catch (IOException ex) {
			throw new IllegalStateException("The description of the API cannot be read", ex);
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
