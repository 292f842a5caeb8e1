// SPDX-License-Identifier: Apache-2.0

package io.leaf.autoconfigure.text;

import java.net.URI;
import java.util.HashMap;
import java.util.Map;

import io.leaf.InvalidRequestException;
import io.leaf.autoconfigure.SpringBoot;
import io.leaf.text.IdFormats;
import io.leaf.text.LeafText;
import jakarta.servlet.http.Cookie;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.core.MethodParameter;
import org.springframework.core.convert.ConversionService;
import org.springframework.format.FormatterRegistry;
import org.springframework.http.MediaType;
import org.springframework.test.web.servlet.assertj.MockMvcTester;
import org.springframework.test.web.servlet.assertj.MvcTestResult;
import org.springframework.web.context.WebApplicationContext;
import org.springframework.web.method.annotation.MethodArgumentTypeMismatchException;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;
import org.springframework.web.servlet.mvc.method.annotation.PathVariableMethodArgumentResolver;
import org.springframework.web.util.UriComponentsBuilder;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link LeafText} in Spring MVC.
 */
class LeafTextInWebMvcTests {

	private final WebApplicationContextRunner contextRunner = new WebApplicationContextRunner()
		.withConfiguration(SpringBoot.webMvc())
		.withConfiguration(AutoConfigurations.of(LeafTextAutoConfiguration.class))
		.withBean(OrderController.class)
		.withPropertyValues("leaf.keys.order.format=ORD-{number:4}");

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			/path/ORD-0007                                | 7
			/parameter?id=ORD-0007                        | 7
			/parameter?id=                                | null
			/parameter                                    | null
			/parameters?ids=ORD-0007&ids=ORD-0008         | [7, 8]
			/parameters?ids=ORD-0007,ORD-0008             | [7, 8]
			/parameters?ids=ORD-0007                      | [7]
			/array?ids=ORD-0007,ORD-0008                  | [7, 8]
			/optional?id=ORD-0007                         | Optional[7]
			/optional                                     | Optional.empty
			/record?id=ORD-0007&ids=ORD-0008&ids=ORD-0009 | Search[id=7, ids=[8, 9]]
			/bean?id=ORD-0007&ids=ORD-0008,ORD-0009       | 7 [8, 9]
			/bean?id=ORD-0007&ids[0]=ORD-0008             | 7 [8]
			/plain/7?number=1,234                         | 7 1234
			""")
	void textsAreRead(String uri, String response) {
		this.contextRunner.run((context) -> assertThat(get(context, uri)).hasStatusOk().bodyText().isEqualTo(response));
	}

	@Test
	void headersAreRead() {
		this.contextRunner
			.run((context) -> assertThat(MockMvcTester.from(context).get().uri("/header").header("X-Order", "ORD-0007"))
				.hasStatusOk()
				.bodyText()
				.isEqualTo("7"));
	}

	@Test
	void cookiesAreRead() {
		this.contextRunner.run((context) -> assertThat(
				MockMvcTester.from(context).get().uri("/cookie").cookie(new Cookie("last", "ORD-0007")))
			.hasStatusOk()
			.bodyText()
			.isEqualTo("7"));
	}

	/**
	 * Spring's data binders would accept a plain number.
	 */
	@ParameterizedTest
	@ValueSource(strings = { "/path/7", "/path/ORD-007", "/path/ord-0007", "/path/0x7", "/parameter?id=7",
			"/parameters?ids=7", "/parameters?ids=ORD-0007&ids=8", "/parameters?ids=ORD-0007,8", "/array?ids=7",
			"/array?ids=ORD-0007&ids=8", "/optional?id=7", "/record?id=7", "/record?id=ORD-0007&ids=8",
			"/record?id=ORD-0007&ids=ORD-0008&ids=9", "/bean?id=7", "/bean?id=ORD-0007&ids=8",
			"/bean?id=ORD-0007&ids[0]=8" })
	void aTextInAnotherFormatIsABadRequest(String uri) {
		this.contextRunner.run((context) -> assertThat(get(context, uri)).hasStatus(400));
	}

	@ParameterizedTest
	@ValueSource(strings = { "/path/7", "/parameters?ids=7", "/bean?id=7" })
	void aConverterOfTheApplicationDoesNotReadTexts(String uri) {
		WebMvcConfigurer configurer = new WebMvcConfigurer() {
			@Override
			public void addFormatters(FormatterRegistry registry) {
				registry.addConverter(String.class, Long.class, Long::valueOf);
			}
		};
		this.contextRunner.withBean(WebMvcConfigurer.class, () -> configurer)
			.run((context) -> assertThat(get(context, uri)).hasStatus(400));
	}

	@Test
	void theReasonComesFromTheFormat() {
		this.contextRunner.run((context) -> assertThat(get(context, "/path/7")).hasStatus(400)
			.failure()
			.isInstanceOf(MethodArgumentTypeMismatchException.class)
			.rootCause()
			.isInstanceOf(InvalidRequestException.class)
			.hasMessage("'7' is not the text of an ID of key 'order' in the format 'ORD-{number:4}'"));
	}

	@Test
	void linksContainTexts() {
		this.contextRunner.run((context) -> {
			Map<String, Object> variables = new HashMap<>();
			MethodParameter id = new MethodParameter(OrderController.class.getDeclaredMethod("path", long.class), 0);
			new PathVariableMethodArgumentResolver().contributeMethodArgument(id, 7L,
					UriComponentsBuilder.newInstance(), variables,
					context.getBean("mvcConversionService", ConversionService.class));
			assertThat(variables).containsValue("ORD-0007");
		});
	}

	@Test
	void jsonContainsTexts() {
		this.contextRunner.run((context) -> {
			assertThat(post(context, "{\"id\":\"ORD-0007\"}")).hasStatusOk()
				.bodyJson()
				.isStrictlyEqualTo("{\"id\":\"ORD-0008\"}");
			assertThat(post(context, "{\"id\":\"7\"}")).hasStatus(400);
		});
	}

	@Test
	void theFormatsOfTheApplicationAreUsed() {
		this.contextRunner.withBean(IdFormats.class, () -> new IdFormats(Map.of()))
			.run((context) -> assertThat(get(context, "/path/7")).hasStatusOk());
	}

	private static MvcTestResult get(WebApplicationContext context, String uri) {
		return MockMvcTester.from(context)
			.get()
			.uri(URI.create(uri.replace("[", "%5B").replace("]", "%5D")))
			.exchange();
	}

	private static MvcTestResult post(WebApplicationContext context, String json) {
		return MockMvcTester.from(context)
			.post()
			.uri("/body")
			.contentType(MediaType.APPLICATION_JSON)
			.content(json)
			.exchange();
	}

}
