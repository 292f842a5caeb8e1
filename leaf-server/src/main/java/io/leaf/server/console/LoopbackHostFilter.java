// SPDX-License-Identifier: Apache-2.0

package io.leaf.server.console;

import java.io.IOException;
import java.net.InetAddress;
import java.util.Locale;
import java.util.regex.Pattern;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Refuses requests for other hosts with 403 while the management port listens on a
 * loopback address. Otherwise a web page could read the port, if its host name is made to
 * resolve to 127.0.0.1 after it was loaded (DNS rebinding): for the browser, page and
 * port then have the same origin.
 */
final class LoopbackHostFilter extends OncePerRequestFilter {

	private static final Pattern LOOPBACK = Pattern
		.compile("(.+\\.)?localhost\\.?|127\\.\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}|\\[?(::|(0{1,4}:){7})0{0,3}1]?");

	private final boolean active;

	/**
	 * Creates the filter.
	 * @param address the address of the port, or {@code null} for all addresses
	 */
	LoopbackHostFilter(InetAddress address) {
		this.active = address != null && address.isLoopbackAddress();
	}

	@Override
	protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
			throws ServletException, IOException {
		if (this.active && !LOOPBACK.matcher(request.getServerName().toLowerCase(Locale.ROOT)).matches()) {
			response.setStatus(HttpServletResponse.SC_FORBIDDEN);
			return;
		}
		chain.doFilter(request, response);
	}

}
