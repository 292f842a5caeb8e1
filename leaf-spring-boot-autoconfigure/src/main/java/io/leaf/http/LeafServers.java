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
 * request goes to the server that answered last. If that server does not answer, or
 * answers with neither a result nor a refusal, the request goes to the next one at once.
 * The time that a request may take is divided equally among the servers.
 * <p>
 * All requests are sent with POST, which the JDK's HTTP client does not repeat by itself.
 * <p>
 * Safe for use by any number of threads.
 */
public final class LeafServers implements AutoCloseable {

	private static final Logger logger = LoggerFactory.getLogger(LeafServers.class);

	/**
	 * The type of the problem that a server reports for a key without a row.
	 */
	private static final String UNKNOWN_KEY = "\"urn:leaf:unknown-key\"";

	private static final int MAX_TEXT = 500;

	// other characters arrive differently or not at all, and spaces at the ends are cut
	// off
	private static final Pattern TOKEN = Pattern.compile("([!-~]([ -~]*[!-~])?)?");

	private final Connections connections;

	private final List<URI> urls;

	private final @Nullable String token;

	private final ObservationRegistry observations;

	private final Function<String, Map<String, Object>> json;

	// by timeout: a request factory has a fixed one, and callers use few different ones
	private final Map<Duration, RestClient> clients = new ConcurrentHashMap<>();

	private final AtomicInteger current = new AtomicInteger();

	/**
	 * Creates a client.
	 * @param urls the URLs of the servers, at least one
	 * @param token the token that is sent to them, or {@code null} for none
	 * @param ssl the certificates for https, or {@code null} for those of the JVM
	 * @param observations the registry that observes requests
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
	 * Returns whether a text can be sent as a token. The JDK's HTTP client shows it in an
	 * exception otherwise.
	 * @param text a text
	 * @return {@code true} if it has only printable characters of ASCII, and no space at
	 * its ends
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
	 * Returns how long each server may take.
	 * @param timeout how long all of them may take together
	 * @return the part of each server
	 */
	public Duration share(Duration timeout) {
		return timeout.dividedBy(this.urls.size());
	}

	/**
	 * Sends a request, to each server until one answers. It may have been carried out by
	 * several of them.
	 * @param path the path
	 * @param parameters the parameters
	 * @param timeout how long all attempts together may take
	 * @return the answer, or {@code null} if the server answers that a key in the request
	 * has no row
	 * @throws LeafServerException if no server answers, or one refuses
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
					logger.info("Using the Leaf server {} from now on: {}", this.urls.get(server), message(failure));
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
		throw new LeafServerException("No Leaf server has served the request. The last one that was tried: %s"
			.formatted(failure.getMessage()), failure, false);
	}

	private static String message(@Nullable LeafServerException failure) {
		return (failure != null) ? String.valueOf(failure.getMessage()) : "";
	}

	/**
	 * Sends a request once, to the server that answered last.
	 * @param path the path
	 * @param parameters the parameters
	 * @param timeout how long the answer may take
	 * @return the answer, or {@code null} if the server answers that a key in the request
	 * has no row
	 * @throws LeafServerException if the server does not answer, or refuses
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
			// parsers throw different exceptions
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
			case 401, 403 -> "The Leaf server %s refuses (%s): %s";
			case 404 ->
				"The server %s does not have the path of the request (%s), which Leaf servers with a database have: %s";
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
		// parsers throw different exceptions
		catch (RuntimeException ex) {
			// for example the page of a proxy; the parser that is used without Jackson
			// also fails on texts with quotes
			logger.debug("The body of an error is not a problem detail", ex);
		}
		return "'" + abbreviate(body) + "'";
	}

	/**
	 * Ends the threads of this client. To be called after the last request.
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
		 * Returns the client that sends requests.
		 * @param timeout how long each answer may take
		 */
		ClientHttpRequestFactory requests(Duration timeout);

		@Override
		void close();

	}

	/**
	 * The connections of an HTTP client of the JDK, with threads of their own.
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
