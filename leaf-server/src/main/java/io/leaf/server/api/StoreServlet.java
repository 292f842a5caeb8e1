// SPDX-License-Identifier: Apache-2.0

package io.leaf.server.api;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;

import io.leaf.IdGenerationException;
import io.leaf.segment.SegmentStoreException;
import io.leaf.server.api.Clients.Client;
import io.leaf.server.api.RefusedException.Reason;
import io.leaf.snowflake.lease.WorkerLeaseStoreException;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.boot.json.JsonWriter;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;

/**
 * Serves a store over HTTP to applications that have no store of their own. Each path
 * corresponds to a method of the store. All requests use POST, so that no cache answers a
 * request and no proxy repeats one.
 */
abstract class StoreServlet extends HttpServlet {

	private static final long serialVersionUID = 1L;

	/**
	 * The accepted method.
	 */
	static final String METHOD = "POST";

	/**
	 * How long a response that lists all rows or records waits for memory.
	 */
	private static final Duration PATIENCE = Duration.ofSeconds(1);

	private static final JsonWriter<Object> JSON = JsonWriter.standard();

	private final String prefix;

	private final String listing;

	private final transient Clients clients;

	private final transient BodyMemory memory;

	private final transient ApiErrors errors = new ProblemErrors();

	/**
	 * Creates a servlet.
	 * @param prefix the part of each path before the name of the store's method
	 * @param listing the method that returns all rows or records
	 * @param clients the clients
	 * @param memory the memory for large requests and responses
	 */
	StoreServlet(String prefix, String listing, Clients clients, BodyMemory memory) {
		this.prefix = prefix;
		this.listing = listing;
		this.clients = clients;
		this.memory = memory;
	}

	/**
	 * Calls a method of the store.
	 * @param method the method, as named in the path
	 * @param request the parameters
	 * @param client the client. The implementation must check whether the client may make
	 * this call
	 * @return the fields of the JSON response
	 */
	abstract Map<String, Object> answer(String method, StoreRequest request, Client client);

	@Override
	protected final void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
		if (request.getDispatcherType() == DispatcherType.ERROR) {
			return;
		}
		response.setHeader(HttpHeaders.CACHE_CONTROL, "no-store");
		try {
			Client client = client(request);
			StoreRequest parameters = new StoreRequest(request);
			int reserved = this.memory.reserve(parameters.maxBodyBytes());
			try {
				String method = request.getServletPath().substring(this.prefix.length());
				byte[] body = JSON.writeToString(answer(method, parameters, client)).getBytes(StandardCharsets.UTF_8);
				// Only the response of this method may be refused, because the method
				// changes nothing: a client repeats a refused request. The size of the
				// other responses is limited by that of their requests.
				if (method.equals(this.listing)) {
					this.memory.release(reserved);
					reserved = 0;
					// the parameters stay in memory until the request ends
					reserved = this.memory.reserve(parameters.maxBodyBytes() + body.length, PATIENCE);
				}
				respond(body, response);
			}
			finally {
				this.memory.release(reserved);
			}
		}
		catch (RefusedException ex) {
			this.errors.write(ex, request.getRequestURI(), response);
		}
		catch (SegmentStoreException ex) {
			this.errors.write(refused(ex, ex.isRefusal()), request.getRequestURI(), response);
		}
		catch (WorkerLeaseStoreException ex) {
			this.errors.write(refused(ex, ex.isRefusal()), request.getRequestURI(), response);
		}
		catch (IdGenerationException ex) {
			this.errors.write(RefusedException.of(ex), request.getRequestURI(), response);
		}
	}

	private static void respond(byte[] body, HttpServletResponse response) throws IOException {
		response.setContentType(MediaType.APPLICATION_JSON_VALUE);
		response.setContentLength(body.length);
		response.getOutputStream().write(body);
	}

	private static RefusedException refused(IdGenerationException failure, boolean refusal) {
		return new RefusedException(refusal ? Reason.REFUSED : Reason.UNAVAILABLE, failure.getMessage());
	}

	// called before the parameters are read, so that a refused request costs little
	private Client client(HttpServletRequest request) {
		if (!request.getMethod().equals(METHOD)) {
			throw RefusedException.otherMethod(METHOD);
		}
		if (request.getHeader(HttpHeaders.ORIGIN) != null) {
			throw new RefusedException(Reason.FORBIDDEN,
					"The header Origin says that a web page sent the request. Only applications may send this request");
		}
		Client client = this.clients.of(request.getHeader(HttpHeaders.AUTHORIZATION));
		client.requireRate();
		return client;
	}

}
