// SPDX-License-Identifier: Apache-2.0

package io.leaf.server.console;

import java.io.IOException;
import java.net.InetAddress;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.http.HttpHeaders;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Prevents DNS rebinding. If the management port listens on a loopback address, a request
 * gets status 403 unless its header Host names a loopback address. Without this filter,
 * an attacker could load a web page into a browser, and then let the host name of the
 * page resolve to 127.0.0.1. For the browser, the page and the management port would have
 * the same origin, so the page could read the responses.
 * <p>
 * The header itself is read, because the server name of a request can come from the
 * header X-Forwarded-Host, which a web page can set. Requests with HTTP/1.0 and without
 * the header are served, because no browser sends such requests.
 */
final class LoopbackHostFilter extends OncePerRequestFilter {

	private static final Pattern LOOPBACK = Pattern
		.compile("((.+\\.)?localhost\\.?|127\\.\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}|\\[(::|(0{1,4}:){7})0{0,3}1])(:\\d*)?");

	private final boolean active;

	/**
	 * Creates the filter.
	 * @param address the address on which the management port listens, or {@code null} if
	 * it listens on all addresses
	 */
	LoopbackHostFilter(InetAddress address) {
		this.active = address != null && address.isLoopbackAddress();
	}

	@Override
	protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
			throws ServletException, IOException {
		if (this.active && !namesLoopback(request)) {
			response.setStatus(HttpServletResponse.SC_FORBIDDEN);
			return;
		}
		chain.doFilter(request, response);
	}

	private static boolean namesLoopback(HttpServletRequest request) {
		List<String> hosts = Collections.list(request.getHeaders(HttpHeaders.HOST));
		if (hosts.isEmpty() && request.getProtocol().equals("HTTP/2.0")) {
			// Browsers do not send the header Host with HTTP/2. They use HTTP/2 only with
			// TLS, and do not accept this server's certificate for the attacker's name.
			hosts = List.of(request.getServerName());
		}
		if (hosts.isEmpty() && request.getProtocol().equals("HTTP/1.0")) {
			// health checks of proxies can send no Host; browsers always do
			return true;
		}
		return hosts.size() == 1 && LOOPBACK.matcher(hosts.get(0).toLowerCase(Locale.ROOT)).matches();
	}

}
