// SPDX-License-Identifier: Apache-2.0

package io.leaf.server;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

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
 * Tests of {@code leaf.server.tokens}, and of invalid tokens of
 * {@code leaf.server.clients}.
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

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '"',
			textBlock = """
					"leaf.server.tokens.closed= " | The property leaf.server.tokens.closed is empty. | Set a token, or remove the property.
					"leaf.server.tokens[order_item]= " | The property leaf.server.tokens[order_item] is empty. | Set a token, or remove the property.
					"leaf.server.clients.shop.token= " | The property leaf.server.clients.shop.token is empty. | Set a token.
					leaf.server.tokens.closed=s\u00e9same | The property leaf.server.tokens.closed contains a character that clients cannot send. | Use printable ASCII characters, with no leading or trailing space.
					leaf.server.clients.shop.token=s\u00e9same | The property leaf.server.clients.shop.token contains a character that clients cannot send. | Use printable ASCII characters, with no leading or trailing space.
					leaf.server.clients.shop.keys=a | The client 'shop' of leaf.server.clients has no token. | Set leaf.server.clients.shop.token.
					""")
	void aClientOrKeyWithoutATokenThatCanBeSentPreventsStartup(String property, String description, String action,
			CapturedOutput output) {
		assertThatThrownBy(() -> start("--" + property)).isNotNull();
		assertThat(output).contains("Description:\n\n%s\n\nAction:\n\n%s\n".formatted(description, action))
			.doesNotContain("s\u00e9same");
	}

	@ParameterizedTest
	@ValueSource(strings = { "leaf.server.tokens", "leaf.server.clients", "leaf.server.clients.shop" })
	void aTokenInThePlaceOfItsParentIsNotShown(String property, CapturedOutput output) {
		assertThatThrownBy(() -> start("--" + property + "=sesame")).isNotNull();
		assertThat(output)
			.contains("The configuration property '" + property + "'", "Set the properties below it instead, as needed")
			.doesNotContain("sesame");
	}

	@Test
	void twoClientsWithTheSameTokenPreventStartup(CapturedOutput output) {
		assertThatThrownBy(
				() -> start("--leaf.server.clients.bar.token=sesame", "--leaf.server.clients.shop.token=sesame"))
			.isNotNull();
		assertThat(output).containsPattern(
				"The property leaf.server.clients.(bar|shop).token has the same value as leaf.server.clients.(bar|shop).token.\n\nAction:\n\nSet a different token for each of them.\n")
			.doesNotContain("sesame");
	}

	@Test
	void aClientWithoutRequestsPreventsStartup(CapturedOutput output) {
		assertThatThrownBy(() -> start("--leaf.server.clients[my_shop].token=sesame",
				"--leaf.server.clients[my_shop].requests-per-second=0"))
			.isNotNull();
		assertThat(output)
			.contains("Invalid value '0' for configuration property 'leaf.server.clients[my_shop].requests-per-second'",
					"It must be at least 1.\n")
			.doesNotContain("sesame", "1..");
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
