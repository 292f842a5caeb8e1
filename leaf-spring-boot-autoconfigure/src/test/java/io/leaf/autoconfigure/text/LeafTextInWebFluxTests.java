// SPDX-License-Identifier: Apache-2.0

package io.leaf.autoconfigure.text;

import java.net.URI;

import io.leaf.autoconfigure.SpringBoot;
import io.leaf.text.LeafText;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.format.FormatterRegistry;
import org.springframework.http.MediaType;
import org.springframework.test.web.reactive.server.WebTestClient;
import org.springframework.web.reactive.config.WebFluxConfigurer;

/**
 * Tests for {@link LeafText} in Spring WebFlux.
 */
class LeafTextInWebFluxTests {

	private final ReactiveWebApplicationContextRunner contextRunner = new ReactiveWebApplicationContextRunner()
		.withConfiguration(SpringBoot.webFlux())
		.withConfiguration(AutoConfigurations.of(LeafTextAutoConfiguration.class))
		.withBean(OrderController.class)
		.withPropertyValues("leaf.keys.order.format=ORD-{number:4}");

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			/path/ORD-0007                          | 7
			/parameter?id=ORD-0007                  | 7
			/parameters?ids=ORD-0007,ORD-0008       | [7, 8]
			/record?id=ORD-0007&ids=ORD-0008        | Search[id=7, ids=[8]]
			/bean?id=ORD-0007&ids=ORD-0008,ORD-0009 | 7 [8, 9]
			""")
	void textsAreRead(String uri, String response) {
		this.contextRunner.run((context) -> client(context).get()
			.uri(URI.create(uri))
			.exchange()
			.expectStatus()
			.isOk()
			.expectBody(String.class)
			.isEqualTo(response));
	}

	@ParameterizedTest
	@ValueSource(strings = { "/path/7", "/parameter?id=7", "/parameters?ids=ORD-0007,8", "/record?id=7",
			"/record?id=ORD-0007&ids=8", "/bean?id=7", "/bean?id=ORD-0007&ids=8" })
	void aTextInAnotherFormatIsABadRequest(String uri) {
		this.contextRunner
			.run((context) -> client(context).get().uri(URI.create(uri)).exchange().expectStatus().isBadRequest());
	}

	@ParameterizedTest
	@ValueSource(strings = { "/path/7", "/bean?id=7" })
	void aConverterOfTheApplicationDoesNotReadTexts(String uri) {
		WebFluxConfigurer configurer = new WebFluxConfigurer() {
			@Override
			public void addFormatters(FormatterRegistry registry) {
				registry.addConverter(String.class, Long.class, Long::valueOf);
			}
		};
		this.contextRunner.withBean(WebFluxConfigurer.class, () -> configurer)
			.run((context) -> client(context).get().uri(URI.create(uri)).exchange().expectStatus().isBadRequest());
	}

	@Test
	void jsonContainsTexts() {
		this.contextRunner.run((context) -> {
			post(context, "{\"id\":\"ORD-0007\"}").expectStatus()
				.isOk()
				.expectBody(String.class)
				.isEqualTo("{\"id\":\"ORD-0008\"}");
			post(context, "{\"id\":\"7\"}").expectStatus().isBadRequest();
		});
	}

	private static WebTestClient.ResponseSpec post(ApplicationContext context, String json) {
		return client(context).post().uri("/body").contentType(MediaType.APPLICATION_JSON).bodyValue(json).exchange();
	}

	private static WebTestClient client(ApplicationContext context) {
		return WebTestClient.bindToApplicationContext(context).build();
	}

}
