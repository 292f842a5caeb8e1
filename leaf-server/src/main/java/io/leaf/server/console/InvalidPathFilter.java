// SPDX-License-Identifier: Apache-2.0

package io.leaf.server.console;

import java.io.IOException;
import java.nio.charset.StandardCharsets;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.util.StringUtils;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Responds with status 400 to a path with an invalid percent-encoding. Tomcat refuses
 * most of these paths itself, but accepts an invalid encoding in a path parameter (the
 * text after a semicolon). Without this filter, Spring MVC would fail with an exception
 * for such a path.
 */
final class InvalidPathFilter extends OncePerRequestFilter {

	@Override
	protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
			throws ServletException, IOException {
		try {
			StringUtils.uriDecode(request.getRequestURI(), StandardCharsets.UTF_8);
		}
		catch (IllegalArgumentException ex) {
			logger.debug("The path is not valid", ex);
			response.setStatus(HttpServletResponse.SC_BAD_REQUEST);
			return;
		}
		chain.doFilter(request, response);
	}

}
