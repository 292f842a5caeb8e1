// SPDX-License-Identifier: Apache-2.0

package io.leaf.server.api;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

import io.micrometer.core.instrument.MockClock;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleConfig;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import jakarta.servlet.FilterChain;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.MappingMatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.mock.web.MockHttpServletMapping;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Tests for {@link RequestTimer}.
 */
class RequestTimerTests {

	private final MockClock clock = new MockClock();

	private final SimpleMeterRegistry registry = new SimpleMeterRegistry(SimpleConfig.DEFAULT, this.clock);

	private final RequestTimer timer = new RequestTimer(this.registry);

	@ParameterizedTest
	@CsvSource({ "/*, /api/segment/get/order, /api/segment/get/{key}",
			"/*, /api/segment/text/order, /api/segment/text/{key}",
			"/*, /api/snowflake/get/order, /api/snowflake/get/{key}",
			"/*, /api/snowflake/text/order, /api/snowflake/text/{key}", "/*, /favicon.ico, UNKNOWN", "/*,, UNKNOWN",
			"/api/segment/allocate/*, /order, /api/segment/allocate/{key}", "/api/segment/rows,, /api/segment/rows" })
	void requestsAreMeasuredByThePatternOfTheirPath(String servlet, String path, String uri) throws Exception {
		request("GET", servlet, path, (request, response) -> this.clock.add(Duration.ofMillis(3)));
		request("GET", servlet, path, (request, response) -> this.clock.add(Duration.ofMillis(4)));
		Timer found = this.registry.get("http.server.requests")
			.tags("method", "GET", "uri", uri, "status", "200", "outcome", "SUCCESS", "exception", "none", "error",
					"none")
			.timer();
		assertThat(found.count()).isEqualTo(2);
		assertThat(found.totalTime(TimeUnit.MILLISECONDS)).isEqualTo(7);
	}

	@Test
	void theStatusIsThatOfTheResponse() throws Exception {
		request("GET", "/*", "/api/segment/get/order",
				(request, response) -> ((HttpServletResponse) response).setStatus(HttpServletResponse.SC_NOT_FOUND));
		assertThat(this.registry.get("http.server.requests")
			.tags("status", "404", "outcome", "CLIENT_ERROR")
			.timer()
			.count()).isOne();
	}

	@Test
	void aFailureIsMeasuredAsStatus500() {
		assertThatThrownBy(() -> request("GET", "/*", "/api/segment/get/order", (request, response) -> {
			throw new IOException("closed");
		})).isInstanceOf(IOException.class).hasMessage("closed");
		assertThat(this.registry.get("http.server.requests")
			.tags("status", "500", "outcome", "SERVER_ERROR", "exception", "IOException", "error", "IOException")
			.timer()
			.count()).isOne();
	}

	@Test
	void unknownMethodsShareATimer() throws Exception {
		request("FETCH", "/*", "/api/segment/get/order", (request, response) -> {
		});
		request("OBTAIN", "/*", "/api/segment/get/order", (request, response) -> {
		});
		assertThat(this.registry.get("http.server.requests").tags("method", "UNKNOWN").timer().count()).isEqualTo(2);
		assertThat(this.registry.getMeters()).hasSize(1);
	}

	private void request(String method, String servlet, String path, FilterChain chain) throws Exception {
		MockHttpServletRequest request = new MockHttpServletRequest(method, "/");
		request.setPathInfo(path);
		request.setHttpServletMapping(new MockHttpServletMapping("", servlet, "servlet", MappingMatch.PATH));
		this.timer.doFilter(request, new MockHttpServletResponse(), chain);
	}

}
