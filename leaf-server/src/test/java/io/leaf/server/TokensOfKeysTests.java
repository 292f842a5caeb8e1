// SPDX-License-Identifier: Apache-2.0

package io.leaf.server;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.http.HttpStatusCode;
import org.springframework.util.StringUtils;
import org.springframework.web.client.RestClient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Tests of {@code leaf.server.tokens}.
 */
@ExtendWith(OutputCaptureExtension.class)
class TokensOfKeysTests {

	@Test
	void aKeyWithATokenIsProtectedAndNamedInTheLog(CapturedOutput output) {
		try (ConfigurableApplicationContext server = start("--leaf.server.tokens.closed=sesame",
				"--leaf.server.tokens[order_item]=sesame")) {
			assertThat(output).contains("Keys that require a token: closed, order_item").doesNotContain("sesame");
			assertThat(status(server, "/api/segment/get/closed", "Bearer sesame")).isEqualTo(200);
			assertThat(status(server, "/api/segment/get/closed", "bearer sesame")).isEqualTo(200);
			assertThat(status(server, "/api/segment/get/closed", "Bearer open")).isEqualTo(401);
			assertThat(status(server, "/api/segment/get/closed", "Bearer Sesame")).isEqualTo(401);
			assertThat(status(server, "/api/snowflake/get/closed", "")).isEqualTo(401);
			assertThat(status(server, "/api/segment/get/order_item", "")).isEqualTo(401);
			assertThat(status(server, "/api/segment/get/open", "")).isEqualTo(200);
		}
	}

	@Test
	void anEmptyTokenPreventsStartup() {
		assertThatThrownBy(() -> start("--leaf.server.tokens.closed= "))
			.hasStackTraceContaining("leaf.server.tokens.closed is empty. Set a token, or remove the property");
	}

	@Test
	void aTokenThatNoClientCanSendPreventsStartupAndIsNotShown(CapturedOutput output) {
		assertThatThrownBy(() -> start("--leaf.server.clients.shop.token=s\u00e9same"))
			.hasStackTraceContaining("leaf.server.clients.shop.token contains a character that clients cannot send");
		assertThat(output).doesNotContain("s\u00e9same");
	}

	private static ConfigurableApplicationContext start(String... arguments) {
		return new SpringApplicationBuilder(LeafServerApplication.class).profiles("embedded")
			.run(StringUtils.concatenateStringArrays(new String[] { "--server.port=0", "--management.server.port=0" },
					arguments));
	}

	private static int status(ConfigurableApplicationContext server, String path, String authorization) {
		return RestClient.create()
			.get()
			.uri("http://localhost:" + server.getEnvironment().getProperty("local.server.port") + path)
			.header("Authorization", authorization)
			.retrieve()
			.onStatus(HttpStatusCode::isError, (request, response) -> {
			})
			.toBodilessEntity()
			.getStatusCode()
			.value();
	}

}
