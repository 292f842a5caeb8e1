/*
 * Copyright 2026 the Leaf project authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *      https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */

package io.leaf.snowflake.lease.zookeeper;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests of {@link FlatJson}.
 */
class FlatJsonTests {

	private static final String ODD = "\u0000\t\n\"\\/'{}[],:\u007f\u00e9\u4e2d\ud83d\ude00";

	private static byte[] bytes(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

	@Test
	void othersReadWhatIsWritten() {
		Map<String, Object> fields = new LinkedHashMap<>();
		fields.put(ODD, ODD);
		fields.put("number", Long.MIN_VALUE);
		byte[] json = FlatJson.write(fields);
		assertThat(json).isEqualTo(new String(json, StandardCharsets.US_ASCII).getBytes(StandardCharsets.US_ASCII));
		assertThat(JsonMapper.shared().readValue(json, Object.class)).isEqualTo(fields);
		assertThat(FlatJson.read(json)).containsEntry(ODD, ODD).containsEntry("number", String.valueOf(Long.MIN_VALUE));
	}

	@Test
	void whatOthersWriteIsRead() {
		Map<String, Object> fields = Map.of("text", ODD, "number", 7, "yes", true);
		byte[] json = JsonMapper.shared().writerWithDefaultPrettyPrinter().writeValueAsBytes(fields);
		assertThat(FlatJson.read(json)).containsOnly(Map.entry("text", ODD), Map.entry("number", "7"),
				Map.entry("yes", "true"));
		assertThat(FlatJson.read(bytes("{\"a\":\"\\b\\f\\n\\r\\t\\/\\u0041\"}"))).containsEntry("a", "\b\f\n\r\t/A");
		assertThat(FlatJson.read(bytes(" { } "))).isEmpty();
		assertThat(FlatJson.read(bytes("{\"a\":null}"))).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "{", "}", "null", "[]", "{\"a\"}", "{\"a\":}", "{a:1}", "{\"a\":1,}", "{,\"a\":1}",
			"{\"a\":1 \"b\":2}", "{\"a\":{}}", "{\"a\":[1]}", "{\"a\":\"b}", "{\"a\":1}}", "{\"a\":'b'}" })
	void anythingElseIsRefused(String json) {
		assertThatIllegalArgumentException().isThrownBy(() -> FlatJson.read(bytes(json)));
	}

	@Test
	void largeGarbageIsRefused() {
		assertThatIllegalArgumentException().isThrownBy(() -> FlatJson.read(bytes("{\"" + "\\\\".repeat(100_000))));
		assertThatIllegalArgumentException().isThrownBy(() -> FlatJson.read(bytes("{\"" + "\\\\".repeat(2000))));
	}

	@Test
	void numbers() {
		assertThat(FlatJson.number(Map.of("a", "7"), "a")).isEqualTo(7);
		assertThatIllegalArgumentException().isThrownBy(() -> FlatJson.number(Map.of("a", "x"), "a"))
			.withMessageContainingAll("a", "x");
		assertThatIllegalArgumentException().isThrownBy(() -> FlatJson.number(Map.of(), "a"))
			.withMessageContaining("missing");
	}

}
