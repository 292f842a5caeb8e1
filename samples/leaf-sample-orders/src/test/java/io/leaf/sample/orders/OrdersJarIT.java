// SPDX-License-Identifier: Apache-2.0

package io.leaf.sample.orders;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.core.ParameterizedTypeReference;
import org.springframework.http.MediaType;
import org.springframework.web.client.RestClient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

/**
 * Tests of the packaged jar, started as users start it, with and without ahead-of-time
 * processing.
 */
class OrdersJarIT {

	private static final Pattern PORT = Pattern.compile("started on port (\\d+)");

	private static final ParameterizedTypeReference<Map<String, Object>> JSON = new ParameterizedTypeReference<>() {
	};

	private static final Duration TIMEOUT = Duration.ofMinutes(3);

	private final StringBuilder output = new StringBuilder();

	private Process process;

	@AfterEach
	void stop() throws InterruptedException {
		this.process.destroy();
		assertThat(this.process.waitFor(TIMEOUT.toSeconds(), TimeUnit.SECONDS)).isTrue();
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void theJarAcceptsOrdersAndPayments(boolean aheadOfTime) throws IOException {
		RestClient client = RestClient.create("http://localhost:" + start(aheadOfTime));
		assertThat(this.output.toString().contains("Starting AOT-processed OrdersApplication")).isEqualTo(aheadOfTime);
		Map<String, Object> order = post(client, "/orders", Map.of("item", "tea", "quantity", 2));
		assertThat(order).containsEntry("id", 1);
		assertThat(order.get("number")).asString().matches("SO-\\d{8}-000001");
		assertThat(client.get().uri("/orders/" + order.get("number")).retrieve().body(JSON)).isEqualTo(order);
		assertThat(post(client, "/payments", Map.of("orderId", 1, "cents", 750)).get("id")).asString()
			.matches("\\d{19}");
		assertThat(client.get().uri("/actuator/health/leaf").retrieve().body(JSON)).containsEntry("status", "UP");
	}

	// otherwise, worker IDs would come from another store than those of other processes
	@Test
	void theJarDoesNotIgnoreAnotherSourceOfWorkerIdsThanThatOfTheBuild() {
		assertThatExceptionOfType(AssertionError.class)
			.isThrownBy(() -> start(true, "--leaf.snowflake.worker.source=file", "--leaf.snowflake.worker.id=1"))
			.withMessageContaining(
					"processed ahead of time with leaf.snowflake.worker.source=jdbc, but the value at startup is file");
	}

	private String start(boolean aheadOfTime, String... arguments) throws IOException {
		List<String> command = new ArrayList<>(List.of(
				Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:TieredStopAtLevel=1",
				"-Dspring.aot.enabled=" + aheadOfTime, "-jar", System.getProperty("sample.jar"), "--server.port=0"));
		command.addAll(List.of(arguments));
		this.process = new ProcessBuilder(command).redirectErrorStream(true).start();
		return assertTimeoutPreemptively(TIMEOUT, this::port);
	}

	private static Map<String, Object> post(RestClient client, String path, Map<String, ?> body) {
		return client.post().uri(path).contentType(MediaType.APPLICATION_JSON).body(body).retrieve().body(JSON);
	}

	private String port() throws IOException {
		BufferedReader reader = this.process.inputReader(StandardCharsets.UTF_8);
		for (String line = reader.readLine(); line != null; line = reader.readLine()) {
			this.output.append(line).append('\n');
			Matcher port = PORT.matcher(line);
			if (port.find()) {
				return port.group(1);
			}
		}
		throw new AssertionError("The application ended:\n" + this.output);
	}

}
