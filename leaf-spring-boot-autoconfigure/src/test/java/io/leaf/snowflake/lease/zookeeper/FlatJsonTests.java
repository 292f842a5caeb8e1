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

import io.leaf.Garbage;
import io.leaf.snowflake.lease.WorkerLease;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
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
	void aFieldThatIsThereTwiceIsRefused() {
		for (String json : new String[] { "{\"a\":1,\"a\":2}", "{\"a\":\"1\",\"b\":2,\"\\u0061\":\"3\"}",
				"{\"a\":null,\"a\":1}" }) {
			assertThatIllegalArgumentException().isThrownBy(() -> FlatJson.read(bytes(json)));
		}
	}

	@Test
	void times() {
		assertThat(FlatJson.time(Map.of("a", "7"), "a")).isEqualTo(7);
		assertThat(FlatJson.time(Map.of("a", "253402300799999"), "a")).isEqualTo(WorkerLease.MAX_TIME);
		assertThatIllegalArgumentException().isThrownBy(() -> FlatJson.time(Map.of("a", "x\ny"), "a"))
			.withMessageContainingAll("field a", "'x?y'");
		assertThatIllegalArgumentException().isThrownBy(() -> FlatJson.time(Map.of("a", "9".repeat(3000)), "a"))
			.satisfies((ex) -> assertThat(ex.getMessage()).hasSizeLessThan(200));
		assertThatIllegalArgumentException().isThrownBy(() -> FlatJson.time(Map.of(), "a"))
			.withMessageContaining("missing");
	}

	@ParameterizedTest
	@ValueSource(strings = { "-1", "-9223372036854775808", "253402300800000", "9223372036854775807",
			"9223372036854775808", "1e3", "1.5", "NaN", "" })
	void aTimeThatCannotBeIsRefused(String time) {
		assertThatIllegalArgumentException().isThrownBy(() -> FlatJson.time(Map.of("a", time), "a"))
			.withMessageContaining("field a should be");
	}

	@Test
	void garbageIsReadAsOthersReadItOrRefused() {
		JsonMapper others = JsonMapper.builder()
			.enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
			.enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
			.build();
		byte[] valid = LeaseCodec.write(new WorkerLease("claim-1", 1_795_000_000_000L, "10.0.0.1:8080", 7, 7));
		Garbage garbage = new Garbage("JSON");
		int read = 0;
		for (int i = 0; i < 100_000; i++) {
			byte[] content = garbage.of(valid);
			WorkerLease lease;
			try {
				lease = LeaseCodec.read(content);
			}
			catch (IllegalArgumentException ex) {
				assertThat(ex).as("number %d", i).isExactlyInstanceOf(IllegalArgumentException.class);
				continue;
			}
			read++;
			assertThat(lease.horizon()).isBetween(0L, WorkerLease.MAX_TIME);
			JsonNode node = node(others, content);
			if (node != null) {
				// of bytes that are no UTF-8, each makes something else
				if (node.path("owner").isString() && !lease.owner().contains("\ufffd")) {
					assertThat(node.path("owner").asString()).as("number %d", i).isEqualTo(lease.owner());
				}
				assertThat(node.path("horizon").asLong()).as("number %d", i).isEqualTo(lease.horizon());
			}
		}
		System.out.println("JSON that is garbage and was read: " + read);
		assertThat(read).isBetween(10_000, 90_000);
	}

	private static @Nullable JsonNode node(JsonMapper others, byte[] content) {
		try {
			return others.readTree(content);
		}
		catch (JacksonException ex) {
			// stricter about the characters within strings, and about signs of numbers
			return null;
		}
	}

}
