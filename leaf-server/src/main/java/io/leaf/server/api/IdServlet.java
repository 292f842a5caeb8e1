// SPDX-License-Identifier: Apache-2.0

package io.leaf.server.api;

import java.io.IOException;
import java.util.Map;
import java.util.stream.LongStream;

import io.leaf.IdGenerationException;
import io.leaf.IdGenerator;
import io.leaf.server.api.RefusedException.Reason;
import io.leaf.support.IdArguments;
import io.leaf.text.IdFormat;
import io.leaf.text.IdFormats;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;

/**
 * Issues IDs at {@code /api/segment/get/{key}} and {@code /api/snowflake/get/{key}}. As
 * on a server of Meituan's Leaf, the methods GET, POST, PUT, PATCH and DELETE all issue
 * IDs. The parameter {@code count} requests several IDs. If the path contains
 * {@code text} instead of {@code get}, the IDs are returned in the format of the key. The
 * response is plain text, or JSON for clients that prefer JSON. HEAD takes no ID, unless
 * {@code leaf.server.compatible-errors} is set. Requests for paths that do not exist also
 * arrive here, and get status 404.
 * <p>
 * This is a servlet and not a controller, because the dispatch to a controller would take
 * a considerable part of the time of a call ({@code docs/measurements.md}).
 */
final class IdServlet extends HttpServlet {

	private static final long serialVersionUID = 1L;

	/**
	 * The maximum number of IDs in one response.
	 */
	static final int MAX_COUNT = 10_000;

	/**
	 * The accepted methods.
	 */
	static final String METHODS = "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS";

	private final transient Map<String, IdGenerator> generators;

	private final transient IdFormats formats;

	private final transient Tokens tokens;

	private final transient ApiErrors errors;

	private final transient BodyMemory memory;

	private final boolean compatible;

	/**
	 * Creates the servlet.
	 * @param generators the generators, by mode: {@code segment} or {@code snowflake}
	 * @param formats the formats of the keys
	 * @param tokens the tokens of protected keys
	 * @param errors the format of error responses
	 * @param memory the memory for large responses
	 * @param compatible whether the servlet is in compatible mode, in which a single ID
	 * in JSON is a number and HEAD takes an ID, as on a server of Meituan's Leaf
	 */
	IdServlet(Map<String, IdGenerator> generators, IdFormats formats, Tokens tokens, ApiErrors errors,
			BodyMemory memory, boolean compatible) {
		this.generators = generators;
		this.formats = formats;
		this.tokens = tokens;
		this.errors = errors;
		this.memory = memory;
		this.compatible = compatible;
	}

	@Override
	protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
		if (request.getDispatcherType() == DispatcherType.ERROR) {
			// a request has failed, possibly in this servlet; Tomcat has already set the
			// status and now requests the error page, whose body stays empty
			return;
		}
		// a cache that serves a response again would repeat IDs
		response.setHeader(HttpHeaders.CACHE_CONTROL, "no-store");
		try {
			switch (request.getMethod()) {
				case "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE" -> issue(request, response);
				case "OPTIONS" -> response.setHeader(HttpHeaders.ALLOW, METHODS);
				default -> throw RefusedException.otherMethod(METHODS);
			}
		}
		catch (RefusedException ex) {
			this.errors.write(ex, request.getRequestURI(), response);
		}
		catch (IdGenerationException ex) {
			this.errors.write(RefusedException.of(ex), request.getRequestURI(), response);
		}
	}

	private void issue(HttpServletRequest request, HttpServletResponse response) throws IOException {
		IdRequest asked = IdRequest.of(request);
		IdGenerator generator = this.generators.get(asked.mode());
		if (generator == null) {
			throw new RefusedException(Reason.MODE_OFF, asked.mode().equals("segment")
					? "Segment mode is not enabled on this server. Set leaf.segment.datasource.url, and do not set leaf.segment.enabled=false"
					: "Snowflake mode is not enabled on this server. Set leaf.snowflake.enabled=true");
		}
		if (!this.tokens.allow(asked.key(), request.getHeader(HttpHeaders.AUTHORIZATION))) {
			throw new RefusedException(Reason.UNAUTHORIZED,
					"Key '%s' requires a token. Send the token of the key in the header Authorization: Bearer <token>"
						.formatted(asked.key()));
		}
		boolean json = asked.json();
		if (request.getMethod().equals("HEAD") && !this.compatible) {
			// no ID is issued, because it would be lost: a response to HEAD has no body
			IdArguments.checkKey(asked.key());
			response.setContentType(contentType(json));
			return;
		}
		// reserved before the IDs are issued, so that a refused request loses none
		int reserved = this.memory.reserve(asked.maxBytes());
		try {
			write(response, json, asked.formatted() ? formatted(generator, asked) : digits(generator, asked));
		}
		finally {
			this.memory.release(reserved);
		}
	}

	private byte[] digits(IdGenerator generator, IdRequest asked) {
		return asked.isBatch() ? IdText.of(generator.nextIds(asked.key(), asked.count()), asked.json())
				: IdText.of(generator.nextId(asked.key()), asked.json() && !this.compatible);
	}

	private byte[] formatted(IdGenerator generator, IdRequest asked) {
		IdFormat format = this.formats.of(asked.key());
		if (!asked.isBatch()) {
			return IdText.of(format.format(generator.nextId(asked.key())), asked.json());
		}
		return IdText.of(LongStream.of(generator.nextIds(asked.key(), asked.count())).mapToObj(format::format).toList(),
				asked.json());
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
