// SPDX-License-Identifier: Apache-2.0

package io.leaf.server;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.UUID;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that the header X-Forwarded-Host does not stand for the header Host on a
 * management port that listens on a loopback address.
 */
class ForwardedHostTests {

	@ParameterizedTest
	@ValueSource(strings = { "native", "framework", "none" })
	void theHeaderHostDecides(String strategy) throws IOException {
		try (ConfigurableApplicationContext server = RangeServers.start("jdbc:h2:mem:" + UUID.randomUUID(),
				"--server.forward-headers-strategy=" + strategy)) {
			assertThat(get(server, "Host: attacker.example\r\nX-Forwarded-Host: localhost"))
				.startsWith("HTTP/1.1 403 ");
			assertThat(get(server, "Host: localhost:8081\r\nX-Forwarded-Host: leaf.example"))
				.startsWith("HTTP/1.1 200 ");
			assertThat(get(server, "X-Forwarded-Host: localhost")).startsWith("HTTP/1.1 400 ");
			assertThat(get(server, "Host: localhost\r\nHost: localhost")).startsWith("HTTP/1.1 400 ");
		}
	}

	private static String get(ConfigurableApplicationContext server, String headers) throws IOException {
		int port = server.getEnvironment().getRequiredProperty("local.management.port", Integer.class);
		try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
			socket.setSoTimeout(30_000);
			socket.getOutputStream()
				.write("GET /cache HTTP/1.1\r\n%s\r\nConnection: close\r\n\r\n".formatted(headers)
					.getBytes(StandardCharsets.ISO_8859_1));
			return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
		}
	}

}
