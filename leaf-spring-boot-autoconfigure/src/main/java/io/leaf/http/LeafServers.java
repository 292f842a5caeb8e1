// SPDX-License-Identifier: Apache-2.0

package io.leaf.http;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.regex.Pattern;

import javax.net.ssl.SSLContext;

import io.leaf.support.DurationText;
import io.leaf.support.LibraryThread;
import io.micrometer.observation.ObservationRegistry;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.MediaType;
import org.springframework.http.client.ClientHttpRequestFactory;
import org.springframework.http.client.ClientHttpResponse;
import org.springframework.http.client.JdkClientHttpRequestFactory;
import org.springframework.util.MultiValueMap;
import org.springframework.util.StreamUtils;
import org.springframework.web.client.ResourceAccessException;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.RestClientException;

/**
 * Sends requests to one of several Leaf servers, each of which can answer any request. A
 * request is first sent to the server that served the last request. If this server does
 * not answer, or answers with neither a result nor a refusal, the request is immediately
 * sent to the next server. The time that a request may take is divided equally among the
 * servers.
 * <p>
 * All requests use POST, because the JDK's HTTP client may repeat a GET request by
 * itself, but not a POST request.
 * <p>
 * Safe for use by any number of threads.
 */
public final class LeafServers implements AutoCloseable {

	private static final Logger logger = LoggerFactory.getLogger(LeafServers.class);

	/**
	 * The problem type (RFC 9457) in a server's answer if a requested key has no row.
	 */
	private static final String UNKNOWN_KEY = "\"urn:leaf:unknown-key\"";

	private static final int MAX_TEXT = 500;

	// Printable ASCII characters without leading or trailing spaces. Other texts may be
	// changed in transit or rejected by the JDK's HTTP client.
	private static final Pattern TOKEN = Pattern.compile("([!-~]([ -~]*[!-~])?)?");

	private final Connections connections;

	private final List<URI> urls;

	private final @Nullable String token;

	private final ObservationRegistry observations;

	private final Function<String, Map<String, Object>> json;

	// by timeout, because each request factory has a fixed timeout. The map stays small,
	// because callers use only a few different timeouts
	private final Map<Duration, RestClient> clients = new ConcurrentHashMap<>();

	private final AtomicInteger current = new AtomicInteger();

	/**
	 * Creates a client.
	 * @param urls the URLs of the servers, at least one
	 * @param token the token that is sent to the servers, or {@code null} for none
	 * @param ssl the certificates for https, or {@code null} for those of the JVM
	 * @param observations the registry for observations of requests
	 * @param json parses a JSON object, or throws an exception
	 * @throws IllegalArgumentException if the token cannot be sent (see {@link #isToken})
	 */
	public LeafServers(List<URI> urls, @Nullable String token, @Nullable SSLContext ssl,
			ObservationRegistry observations, Function<String, Map<String, Object>> json) {
		this(new JdkConnections(ssl), urls, token, observations, json);
	}

	LeafServers(Connections connections, List<URI> urls, @Nullable String token, ObservationRegistry observations,
			Function<String, Map<String, Object>> json) {
		if (token != null && !isToken(token)) {
			throw new IllegalArgumentException("The token has characters that cannot be sent");
		}
		this.connections = connections;
		this.urls = List.copyOf(urls);
		this.token = token;
		this.observations = observations;
		this.json = json;
	}

	/**
	 * Returns whether a text can be sent as a token. Other texts may be changed in
	 * transit, or the JDK's HTTP client may throw an exception whose message contains the
	 * text.
	 * @param text a text
	 * @return {@code true} if the text contains only printable ASCII characters, and no
	 * leading or trailing space
	 */
	public static boolean isToken(String text) {
		return TOKEN.matcher(text).matches();
	}

	/**
	 * Returns the URLs of the servers.
	 */
	public List<URI> urls() {
		return this.urls;
	}

	/**
	 * Returns how long a request to one server may take.
	 * @param timeout how long the requests to all servers may take together
	 * @return the share of each server
	 */
	public Duration share(Duration timeout) {
		return timeout.dividedBy(this.urls.size());
	}

	/**
	 * Sends a request to one server after another, until a server serves or refuses it.
	 * More than one server may carry out the request, because a server whose answer is
	 * lost may have carried it out.
	 * @param path the path
	 * @param parameters the parameters
	 * @param timeout how long all attempts together may take
	 * @return the answer, or {@code null} if the server answers that a key in the request
	 * has no row
	 * @throws LeafServerException if no server serves the request, or if a server refuses
	 * it
	 */
	public @Nullable Answer post(String path, MultiValueMap<String, String> parameters, Duration timeout) {
		Duration each = share(timeout);
		int first = this.current.get();
		LeafServerException failure = null;
		for (int i = 0; i < this.urls.size(); i++) {
			int server = (first + i) % this.urls.size();
			try {
				Answer answer = post(this.urls.get(server), path, parameters, each);
				if (i > 0 && this.current.compareAndSet(first, server)) {
					logger.info("Using the Leaf server {} from now on, because a request to another server failed: {}",
							this.urls.get(server), message(failure));
				}
				return answer;
			}
			catch (LeafServerException ex) {
				if (ex.isRefusal()) {
					throw ex;
				}
				if (failure != null) {
					ex.addSuppressed(failure);
				}
				failure = ex;
			}
		}
		if (failure == null || this.urls.size() == 1) {
			throw (failure != null) ? failure : new IllegalStateException("There are no URLs");
		}
		throw new LeafServerException(
				"No Leaf server has served the request. The failure of the last server that was tried: %s"
					.formatted(failure.getMessage()),
				failure, false);
	}

	private static String message(@Nullable LeafServerException failure) {
		return (failure != null) ? String.valueOf(failure.getMessage()) : "";
	}

	/**
	 * Sends a request once, to the server that served the last request.
	 * @param path the path
	 * @param parameters the parameters
	 * @param timeout how long the answer may take
	 * @return the answer, or {@code null} if the server answers that a key in the request
	 * has no row
	 * @throws LeafServerException if the server does not serve the request, or refuses it
	 */
	public @Nullable Answer postOnce(String path, MultiValueMap<String, String> parameters, Duration timeout) {
		return post(this.urls.get(this.current.get()), path, parameters, timeout);
	}

	private @Nullable Answer post(URI url, String path, MultiValueMap<String, String> parameters, Duration timeout) {
		try {
			return this.clients.computeIfAbsent(timeout, this::client)
				.post()
				.uri(url.toString().replaceAll("/+$", "") + path)
				.headers((headers) -> {
					if (this.token != null) {
						headers.setBearerAuth(this.token);
					}
					headers.set(HttpHeaders.ACCEPT, MediaType.APPLICATION_JSON_VALUE);
				})
				.contentType(MediaType.APPLICATION_FORM_URLENCODED)
				.body(parameters)
				.exchange((request, response) -> answer(url, response))
				.orElse(null);
		}
		catch (ResourceAccessException ex) {
			Throwable cause = (ex.getCause() != null) ? ex.getCause() : ex;
			throw new LeafServerException(
					"The Leaf server %s does not answer within %s (%s). Check leaf.server.urls and the network"
						.formatted(url, DurationText.of(timeout), reason(cause)),
					ex, false);
		}
		catch (RestClientException ex) {
			throw new LeafServerException(
					"The answer of the Leaf server %s cannot be read (%s)".formatted(url, reason(ex)), ex, false);
		}
	}

	private static String reason(Throwable failure) {
		return (failure.getMessage() != null) ? failure.getMessage() : failure.getClass().getSimpleName();
	}

	private RestClient client(Duration timeout) {
		return RestClient.builder()
			.requestFactory(this.connections.requests(timeout))
			.observationRegistry(this.observations)
			.build();
	}

	private Optional<Answer> answer(URI url, ClientHttpResponse response) throws IOException {
		HttpStatusCode status = response.getStatusCode();
		String body = StreamUtils.copyToString(response.getBody(), StandardCharsets.UTF_8);
		if (status.is2xxSuccessful()) {
			try {
				return Optional.of(new Answer(this.json.apply(body)));
			}
			// which exception is thrown depends on the parser
			catch (RuntimeException ex) {
				throw new LeafServerException(
						"The answer of the server %s is not JSON: '%s'. Check that leaf.server.urls are those of Leaf servers"
							.formatted(url, abbreviate(body)),
						ex, false);
			}
		}
		if (status.isSameCodeAs(HttpStatus.NOT_FOUND) && body.contains(UNKNOWN_KEY)) {
			return Optional.empty();
		}
		String detail = detail(body);
		String message = switch (status.value()) {
			case 401, 403 -> "The Leaf server %s denies access (%s): %s";
			case 404 ->
				"The server %s does not have the path of the request (%s), so it is not a Leaf server with a database: %s";
			case 400, 405, 409, 413, 415 -> "The Leaf server %s refuses the request (%s): %s";
			default -> "The Leaf server %s cannot serve the request (%s): %s";
		};
		throw new LeafServerException(message.formatted(url, status.value(), detail), null,
				status.is4xxClientError() && status.value() != 408 && status.value() != 429);
	}

	private String detail(String body) {
		try {
			if (this.json.apply(body).get("detail") instanceof String detail) {
				return detail;
			}
		}
		// which exception is thrown depends on the parser
		catch (RuntimeException ex) {
			// the body may be the error page of a proxy, for example
			logger.debug("The body of an error response cannot be read as a problem detail", ex);
		}
		return "'" + abbreviate(body) + "'";
	}

	/**
	 * Ends the threads {@code leaf-http-*} of this client. Must not be called before the
	 * last request has ended.
	 */
	@Override
	public void close() {
		this.connections.close();
	}

	private static String abbreviate(String text) {
		return (text.length() <= MAX_TEXT) ? text : text.substring(0, MAX_TEXT) + "…";
	}

	/**
	 * How requests reach the servers.
	 */
	interface Connections extends AutoCloseable {

		/**
		 * Returns the factory that creates requests.
		 * @param timeout how long each answer may take
		 */
		ClientHttpRequestFactory requests(Duration timeout);

		@Override
		void close();

	}

	/**
	 * Connects with the JDK's HTTP client, whose executor uses {@link LibraryThread}s.
	 */
	private static final class JdkConnections implements Connections {

		private final ExecutorService executor;

		private final HttpClient http;

		JdkConnections(@Nullable SSLContext ssl) {
			AtomicInteger count = new AtomicInteger();
			this.executor = Executors
				.newCachedThreadPool((task) -> new LibraryThread(task, "leaf-http-" + count.incrementAndGet()));
			HttpClient.Builder builder = HttpClient.newBuilder()
				.version(HttpClient.Version.HTTP_1_1)
				.executor(this.executor);
			if (ssl != null) {
				builder.sslContext(ssl);
			}
			this.http = builder.build();
		}

		@Override
		public ClientHttpRequestFactory requests(Duration timeout) {
			JdkClientHttpRequestFactory factory = new JdkClientHttpRequestFactory(this.http);
			factory.setReadTimeout(timeout);
			return factory;
		}

		@Override
		public void close() {
			this.executor.shutdown();
		}

	}

}
