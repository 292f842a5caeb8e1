// SPDX-License-Identifier: Apache-2.0

package io.leaf.server;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.test.context.ActiveProfiles;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that requests with random paths, parameters, headers and keys, sent to both
 * ports, neither break the server nor fill its memory.
 */
@SpringBootTest(webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT,
		properties = { "management.server.port=0", "leaf.segment.auto-create.enabled=false",
				"leaf.server.tokens.secret=sesame", "server.address=127.0.0.1", "logging.level.org.apache=off",
				"logging.level.org.springframework.web=error" })
@ActiveProfiles("embedded")
class GarbageTests {

	private static final int REQUESTS = Integer.getInteger("leaf.requests",
			Boolean.getBoolean("leaf.test.full") ? 10_000 : 2_000);

	private static final long MEGABYTE = 1 << 20;

	private static final List<String> METHODS = List.of("GET", "GET", "GET", "POST", "PUT", "HEAD", "OPTIONS", "BREW",
			"get");

	private static final List<String> PATHS = List.of("/api/segment/get/", "/api/segment/allocate/",
			"/api/segment/counter/", "/api/segment/rows", "/api/segment/give-back", "/api/snowflake/lease/records",
			"/api/snowflake/get/", "/api/", "/", "/openapi.json", "/cache", "/db", "/decodeSnowflakeId",
			"/actuator/leaf/", "/actuator/leaf/snowflake/", "/events/", "//", "/api/../", "/webjars/");

	private static final List<String> PARAMETERS = List.of("count", "size", "size=1&key", "from=1&to=2&key", "name",
			"snowflakeId", "x", "count=1&count", "", "=", "&");

	private static final List<String> HEADERS = List.of("Accept", "Authorization", "Cookie", "Content-Type",
			"Accept-Language", "Range", "If-None-Match", "X-Forwarded-For", "Origin", "Accept-Encoding",
			"Last-Event-ID");

	private final long seed = Long.getLong("leaf.seed", System.nanoTime());

	private final Random random = new Random(this.seed);

	@Value("${local.server.port}")
	private int port;

	@Value("${local.management.port}")
	private int managementPort;

	@Test
	void noRequestBreaksTheServerOrFillsItsMemory() throws IOException {
		LoggerFactory.getLogger(GarbageTests.class).info("-Dleaf.seed={}", this.seed);
		long before = 0;
		for (int number = 0; number < REQUESTS; number++) {
			if (number == REQUESTS / 5) {
				before = usedMemory();
			}
			String request = request();
			String response = send((number % 4 == 0) ? this.managementPort : this.port, request);
			assertThat(response).as("seed %d, request %d: %s", this.seed, number, request)
				.satisfiesAnyOf((text) -> assertThat(text).matches("(?s)HTTP/1\\.1 ([234]\\d\\d|503) .*"),
						// closed without a response, because the request head was
						// too long to be read completely
						(text) -> assertThat(text).isEmpty())
				.doesNotContain("\tat ", "java.", "org.springframework", "org.apache");
		}
		assertThat(usedMemory() - before).isLessThan(8 * MEGABYTE);
	}

	@ParameterizedTest
	@ValueSource(strings = { "/;%", "/actuator/leaf;%zz", "/actuator/leaf/snowflake/;%&?&=%0C" })
	void aPathParameterThatIsNotEncodedIsRefused(String path) throws IOException {
		assertThat(send(this.managementPort,
				"GET %s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".formatted(path)))
			.startsWith("HTTP/1.1 400 ");
	}

	@ParameterizedTest
	@ValueSource(
			strings = { "POST ", "PUT ", "PATCH ", "DELETE ", "POST ?x=1", "PUT ?x=1", "PATCH ?x=1", "DELETE ?x=1" })
	void theBodyOfAFormIsNotRead(String methodAndQuery) throws IOException {
		String[] parts = methodAndQuery.split(" ", 2);
		String head = "%s /api/snowflake/get/a%s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
			.formatted(parts[0], parts[1]) + "Content-Type: application/x-www-form-urlencoded\r\n";
		assertThat(send(this.port, head + "Content-Length: 5\r\n\r\na=%zz")).startsWith("HTTP/1.1 200 ");
		assertThat(send(this.port, head + "Content-Length: 7\r\n\r\ncount=3")).startsWith("HTTP/1.1 200 ")
			.containsPattern("\r\n\r\n\\d{19}$");
		// the body is never sent, so a server that reads it does not answer before its
		// timeout
		try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), this.port)) {
			socket.setSoTimeout(8_000);
			socket.getOutputStream()
				.write((head + "Content-Length: 1000000000\r\n\r\n").getBytes(StandardCharsets.ISO_8859_1));
			assertThat(socket.getInputStream().readNBytes(13)).asString().isEqualTo("HTTP/1.1 200 ");
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "GET", "HEAD", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "BREW" })
	void aRefusedMethodIsAnsweredWithTheAllowedOne(String method) throws IOException {
		assertThat(send(this.port,
				"%s /api/segment/allocate/k HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
					.formatted(method)))
			.startsWith("HTTP/1.1 405 ")
			.containsOnlyOnce("\r\nAllow: ")
			.contains("\r\nAllow: POST\r\n");
	}

	@ParameterizedTest
	@ValueSource(strings = { "Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}",
			"Content-Type: Application/X-WWW-Form-Urlencoded\r\nContent-Length: 5\r\n\r\nkey=a",
			"Content-Length: 5\r\n\r\nkey=a", "Transfer-Encoding: chunked\r\n\r\n5\r\nkey=a\r\n0\r\n\r\n" })
	void aBodyThatIsNotAFormIsRefused(String body) throws IOException {
		String head = "POST /api/segment/rows HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n";
		assertThat(send(this.port, head + body)).startsWith("HTTP/1.1 400 ")
			.contains("application/x-www-form-urlencoded");
		assertThat(send(this.port, head + "Content-Type: application/x-www-form-urlencoded; charset=UTF-8\r\n"
				+ "Content-Length: 5\r\n\r\nkey=a"))
			.startsWith("HTTP/1.1 200 ");
		assertThat(send(this.port, head + "Content-Type: application/json\r\nContent-Length: 0\r\n\r\n"))
			.startsWith("HTTP/1.1 200 ");
	}

	private String request() {
		StringBuilder request = new StringBuilder();
		request.append(pick(METHODS)).append(' ').append(path()).append(" HTTP/1.1\r\nHost: localhost\r\n");
		request.append("Connection: close\r\n");
		for (int count = this.random.nextInt(4); count > 0; count--) {
			request.append(pick(HEADERS)).append(": ").append(headerValue()).append("\r\n");
		}
		if (this.random.nextInt(8) == 0) {
			String body = text(this.random.nextInt(200));
			request.append("Content-Length: ").append(body.length()).append("\r\n\r\n").append(body);
		}
		else {
			request.append("\r\n");
		}
		return request.toString();
	}

	private String path() {
		StringBuilder path = new StringBuilder(pick(PATHS));
		switch (this.random.nextInt(5)) {
			case 0 -> path.append(encoded(text(this.random.nextInt(300))));
			case 1 -> path.append(text(this.random.nextInt(60)).replaceAll("[\\s]", "+"));
			case 2 -> path.append("secret");
			case 3 -> path.append("key").append(this.random.nextInt());
			default -> {
			}
		}
		if (this.random.nextInt(3) == 0) {
			path.append('?').append(pick(PARAMETERS)).append('=').append(encoded(text(this.random.nextInt(40))));
		}
		return path.toString();
	}

	private String headerValue() {
		return switch (this.random.nextInt(6)) {
			case 0 -> "application/json;q=" + this.random.nextInt();
			case 3 -> pick(List.of("aaa", "text/plain", "*/*;q=0", "image/png, text/html;q=2", "/", ","));
			case 1 -> "Bearer " + text(20).replaceAll("[\\r\\n]", "");
			case 2 -> "a".repeat(this.random.nextInt(12_000));
			default -> text(this.random.nextInt(80)).replaceAll("[\\r\\n]", " ");
		};
	}

	private String text(int length) {
		StringBuilder text = new StringBuilder();
		for (int i = 0; i < length; i++) {
			text.append((char) (this.random.nextBoolean() ? 32 + this.random.nextInt(95) : this.random.nextInt(256)));
		}
		return text.toString();
	}

	private String encoded(String text) {
		StringBuilder encoded = new StringBuilder();
		for (byte b : text.getBytes(StandardCharsets.ISO_8859_1)) {
			encoded.append("%%%02X".formatted(b));
		}
		// sometimes with a percent sign that does not begin an encoding
		return (this.random.nextInt(10) == 0) ? encoded + "%" : encoded.toString();
	}

	private <T> T pick(List<T> values) {
		return values.get(this.random.nextInt(values.size()));
	}

	private static String send(int port, String request) throws IOException {
		try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
			socket.setSoTimeout(30_000);
			ByteArrayOutputStream response = new ByteArrayOutputStream();
			try {
				socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
				socket.getInputStream().transferTo(response);
			}
			catch (SocketException ex) {
				// the server closed the connection early: use the response received so
				// far
			}
			return response.toString(StandardCharsets.ISO_8859_1);
		}
	}

	private static long usedMemory() {
		long least = Long.MAX_VALUE;
		for (int i = 0; i < 5; i++) {
			System.gc();
			least = Math.min(least, Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory());
		}
		return least;
	}

}
