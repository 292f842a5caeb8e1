// SPDX-License-Identifier: Apache-2.0

package io.leaf.server.api;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.http.Outcome;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpMethod;

/**
 * Measures requests to the API with the timer {@code http.server.requests}. The timer has
 * the same name and tags as the timer of Spring's filter.
 * <p>
 * Spring's filter is not used, for two reasons. It knows only the paths of controllers,
 * so that all requests to servlets would have the tag {@code uri=UNKNOWN}. And its
 * observation would take a tenth of the time of a request ({@code docs/measurements.md}).
 */
final class RequestTimer implements Filter {

	private static final String UNKNOWN = "UNKNOWN";

	private static final String NONE = "none";

	// The values of the tag 'method'. All other methods have the value UNKNOWN, because a
	// client that sends arbitrary methods could otherwise add an unlimited number of
	// timers.
	private static final Set<String> METHODS = Stream.of(HttpMethod.values())
		.map(HttpMethod::name)
		.collect(Collectors.toUnmodifiableSet());

	private final MeterRegistry registry;

	private final Clock clock;

	private final Map<Tags, Timer> timers = new ConcurrentHashMap<>();

	/**
	 * Creates the filter.
	 * @param registry the registry of the timers. Its clock measures the requests
	 */
	RequestTimer(MeterRegistry registry) {
		this.registry = registry;
		this.clock = registry.config().clock();
	}

	@Override
	public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
			throws IOException, ServletException {
		long start = this.clock.monotonicTime();
		String failure = NONE;
		try {
			chain.doFilter(request, response);
		}
		catch (IOException | ServletException | RuntimeException | Error ex) {
			failure = ex.getClass().getSimpleName();
			throw ex;
		}
		finally {
			Duration duration = Duration.ofNanos(this.clock.monotonicTime() - start);
			timer(Tags.of((HttpServletRequest) request, (HttpServletResponse) response, failure)).record(duration);
		}
	}

	private Timer timer(Tags tags) {
		// unlike computeIfAbsent, get never takes a lock
		Timer timer = this.timers.get(tags);
		return (timer != null) ? timer : this.timers.computeIfAbsent(tags, this::register);
	}

	private Timer register(Tags tags) {
		return Timer.builder("http.server.requests")
			.description("Duration of HTTP server request handling.")
			.tag("method", tags.method())
			.tag("uri", tags.uri())
			.tag("status", Integer.toString(tags.status()))
			.tag("outcome", Outcome.forStatus(tags.status()).name())
			.tag("exception", tags.failure())
			.tag("error", tags.failure())
			.register(this.registry);
	}

	private record Tags(String method, String uri, int status, String failure) {

		static Tags of(HttpServletRequest request, HttpServletResponse response, String failure) {
			String method = METHODS.contains(request.getMethod()) ? request.getMethod() : UNKNOWN;
			// if an exception is thrown, Tomcat sets the status to 500 only after the
			// exception has left this filter
			int status = failure.equals(NONE) ? response.getStatus() : HttpServletResponse.SC_INTERNAL_SERVER_ERROR;
			return new Tags(method, uri(request), status, failure);
		}

		private static String uri(HttpServletRequest request) {
			String pattern = request.getHttpServletMapping().getPattern();
			if (pattern.equals("/*")) {
				@Nullable String known = IdRequest.pattern(request.getPathInfo());
				return (known != null) ? known : UNKNOWN;
			}
			return pattern.endsWith("/*") ? pattern.substring(0, pattern.length() - 1) + "{key}" : pattern;
		}

	}

}
