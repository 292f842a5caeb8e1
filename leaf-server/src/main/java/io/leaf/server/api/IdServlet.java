// SPDX-License-Identifier: Apache-2.0

package io.leaf.server.api;

import java.io.IOException;
import java.util.Map;

import io.leaf.IdGenerationException;
import io.leaf.IdGenerator;
import io.leaf.server.api.Refusal.Reason;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;

/**
 * Issues IDs: {@code /api/segment/get/{key}} and {@code /api/snowflake/get/{key}}, with
 * any method, as a deployed Leaf server does it; several with {@code ?count=}. As text,
 * or as JSON for clients that prefer it. HEAD takes no ID, unless answers are those of a
 * deployed server. Everything else is not found.
 * <p>
 * A servlet and no controller, because a call takes so little time that the way to a
 * controller is a good part of it ({@code docs/performance.md}).
 */
final class IdServlet extends HttpServlet {

	private static final long serialVersionUID = 1L;

	/**
	 * The largest number of IDs in one answer.
	 */
	static final int MAX_COUNT = 10_000;

	/**
	 * Those that a deployed Leaf server takes for a question, and OPTIONS.
	 */
	static final String METHODS = "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS";

	private final transient Map<String, IdGenerator> generators;

	private final transient Tokens tokens;

	private final transient ApiErrors errors;

	private final boolean compatible;

	/**
	 * Creates the servlet.
	 * @param generators the generators by the name that the path has for them
	 * @param tokens who may ask for which key
	 * @param errors how errors are answered
	 * @param compatible whether a single ID in JSON is a number, and HEAD takes an ID, as
	 * with a deployed Leaf server
	 */
	IdServlet(Map<String, IdGenerator> generators, Tokens tokens, ApiErrors errors, boolean compatible) {
		this.generators = generators;
		this.tokens = tokens;
		this.errors = errors;
		this.compatible = compatible;
	}

	@Override
	protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
		if (request.getDispatcherType() == DispatcherType.ERROR) {
			// Tomcat has refused the request, and its status is answer enough
			return;
		}
		// an answer that is kept and given again would be a duplicate
		response.setHeader(HttpHeaders.CACHE_CONTROL, "no-store");
		try {
			switch (request.getMethod()) {
				case "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE" -> issue(request, response);
				case "OPTIONS" -> response.setHeader(HttpHeaders.ALLOW, METHODS);
				default -> throw new RefusedException(Reason.METHOD, "The method must be one of " + METHODS);
			}
		}
		catch (RefusedException ex) {
			this.errors.write(ex.refusal(), request.getRequestURI(), response);
		}
		catch (IdGenerationException ex) {
			this.errors.write(Refusal.of(ex), request.getRequestURI(), response);
		}
	}

	private void issue(HttpServletRequest request, HttpServletResponse response) throws IOException {
		IdRequest asked = IdRequest.of(request);
		IdGenerator generator = this.generators.get(asked.mode());
		if (generator == null) {
			throw new RefusedException(Reason.MODE_OFF,
					"Mode %1$s is disabled on this server (leaf.%1$s.enabled=false)".formatted(asked.mode()));
		}
		if (!this.tokens.allow(asked.key(), request.getHeader(HttpHeaders.AUTHORIZATION))) {
			throw new RefusedException(Reason.UNAUTHORIZED,
					"Key '%s' requires a token: Authorization: Bearer <token>".formatted(asked.key()));
		}
		boolean json = Negotiation.prefersJson(request);
		if (request.getMethod().equals("HEAD") && !this.compatible) {
			// there is no body to put an ID into, and it would be lost
			response.setContentType(contentType(json));
			return;
		}
		write(response, json, asked.isBatch() ? IdText.of(generator.nextIds(asked.key(), asked.count()), json)
				: IdText.of(generator.nextId(asked.key()), json && !this.compatible));
	}

	private static void write(HttpServletResponse response, boolean json, byte[] body) throws IOException {
		response.setContentType(contentType(json));
		response.setContentLength(body.length);
		response.getOutputStream().write(body);
	}

	private static String contentType(boolean json) {
		return json ? MediaType.APPLICATION_JSON_VALUE : "text/plain;charset=UTF-8";
	}

}
