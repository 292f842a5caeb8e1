// SPDX-License-Identifier: Apache-2.0

package io.leaf.http;

import java.time.Instant;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.boot.json.BasicJsonParser;
import org.springframework.boot.json.JacksonJsonParser;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Answer}, with the parsers of applications with and without Jackson.
 */
class AnswerTests {

	private static Stream<Function<String, Map<String, Object>>> parsers() {
		return Stream.of(new JacksonJsonParser()::parseMap, new BasicJsonParser()::parseMap);
	}

	@ParameterizedTest
	@MethodSource("parsers")
	void everyFieldIsRead(Function<String, Map<String, Object>> parser) {
		Answer answer = new Answer(parser.apply("""
				{"from":"1","to":9223372036854775807,"buffered":true,"other":false,"time":"2026-01-31T10:00:00.123456Z",
				"raisedAt":["2026-01-01T00:00:00Z"],"keys":["order","a%22%5C%2C%7B+%E8%AE%A2"],"none":[],
				"rows":[{"key":"%5B","maxId":"-5","later":{"x":[1,{}]}},{"key":"b","maxId":"7"}]}"""));
		assertThat(answer.number("from")).isEqualTo(1);
		assertThat(answer.number("to")).isEqualTo(Long.MAX_VALUE);
		assertThat(answer.isTrue("buffered")).isTrue();
		assertThat(answer.isTrue("other")).isFalse();
		assertThat(answer.isTrue("missing")).isFalse();
		assertThat(answer.time("time")).isEqualTo(Instant.parse("2026-01-31T10:00:00.123456Z"));
		assertThat(answer.times("raisedAt")).containsExactly(Instant.parse("2026-01-01T00:00:00Z"));
		assertThat(answer.texts("keys")).containsExactly("order", "a\"\\,{ 订");
		assertThat(answer.texts("none")).isEmpty();
		assertThat(answer.answers("rows")).extracting((row) -> row.text("key")).containsExactly("[", "b");
		assertThat(answer.answers("rows")).extracting((row) -> row.number("maxId")).containsExactly(-5L, 7L);
		assertThat(answer.has("from")).isTrue();
		assertThat(answer.has("missing")).isFalse();
	}

}
