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

package io.leaf.json;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.skyscreamer.jsonassert.JSONAssert;
import org.skyscreamer.jsonassert.JSONCompareMode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.http.MediaType;
import org.springframework.test.web.servlet.assertj.MockMvcTester;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of {@link AsJsonString} with both generations of Jackson.
 */
class AsJsonStringTests {

	/**
	 * The first number that JavaScript has not.
	 */
	private static final long ID = (1L << 53) + 1;

	private static final Order ORDER = new Order(ID, ID, null, List.of(ID, 2L), new Long[] { ID }, Map.of("a", ID), ID);

	private static final String JSON = """
			{"id":"9007199254740993","customer":"9007199254740993","invoice":null,
			"items":["9007199254740993","2"],"parcels":["9007199254740993"],"byName":{"a":"9007199254740993"},
			"number":9007199254740993}""";

	@ParameterizedTest
	@MethodSource("mappers")
	void idsAreWrittenAsStrings(Mapper mapper) throws Exception {
		JSONAssert.assertEquals(JSON, mapper.write(ORDER), JSONCompareMode.STRICT);
	}

	@ParameterizedTest
	@MethodSource("mappers")
	void stringsAreRead(Mapper mapper) throws Exception {
		assertThat(mapper.read(JSON, Order.class)).usingRecursiveComparison().isEqualTo(ORDER);
	}

	@ParameterizedTest
	@MethodSource("mappers")
	void numbersAreRead(Mapper mapper) throws Exception {
		String numbers = JSON.replaceAll("\"(\\d+)\"", "$1");
		assertThat(numbers).contains("\"id\":9007199254740993,");
		assertThat(mapper.read(numbers, Order.class)).usingRecursiveComparison().isEqualTo(ORDER);
	}

	@ParameterizedTest
	@MethodSource("mappers")
	void fieldsAndGettersMayBeAnnotated(Mapper mapper) throws Exception {
		JSONAssert.assertEquals("""
				{"field":"9007199254740993","getter":"9007199254740993"}""", mapper.write(new Bean()),
				JSONCompareMode.STRICT);
	}

	@Test
	void optionalsAreWrittenAsStrings() throws Exception {
		assertThat(new Mapper3().write(new Optionals(Optional.of(ID), Optional.empty())))
			.isEqualTo("{\"present\":\"9007199254740993\",\"absent\":null}");
	}

	/**
	 * What the documentation says about the two types that have no wrapper in them.
	 */
	@ParameterizedTest
	@MethodSource("mappers")
	void primitivesInsideOfOthersStayNumbers(Mapper mapper) throws Exception {
		assertThat(mapper.write(new Primitives(new long[] { ID }))).isEqualTo("{\"ids\":[9007199254740993]}");
		assertThat(new Mapper3().write(new Maybe(OptionalLong.of(ID)))).isEqualTo("{\"id\":9007199254740993}");
	}

	@Test
	void springMvcWritesAndReadsStrings() {
		assertThat(MockMvcTester.of(new Echo())
			.post()
			.uri("/orders")
			.contentType(MediaType.APPLICATION_JSON)
			.content(JSON)).hasStatusOk().bodyJson().isStrictlyEqualTo(JSON);
	}

	static Stream<Mapper> mappers() {
		return Stream.of(new Mapper3(), new Mapper2());
	}

	record Order(@AsJsonString long id, @AsJsonString Long customer, @AsJsonString Long invoice,
			@AsJsonString List<Long> items, @AsJsonString Long[] parcels, @AsJsonString Map<String, Long> byName,
			long number) {
	}

	record Optionals(@AsJsonString Optional<Long> present, @AsJsonString Optional<Long> absent) {
	}

	record Primitives(@AsJsonString long[] ids) {
	}

	record Maybe(@AsJsonString OptionalLong id) {
	}

	static class Bean {

		@AsJsonString
		public final long field = ID;

		@AsJsonString
		public long getGetter() {
			return ID;
		}

	}

	@RestController
	static class Echo {

		@PostMapping("/orders")
		Order echo(@RequestBody Order order) {
			return order;
		}

	}

	interface Mapper {

		String write(Object value) throws Exception;

		<T> T read(String json, Class<T> type) throws Exception;

	}

	private static final class Mapper3 implements Mapper {

		private final JsonMapper mapper = new JsonMapper();

		@Override
		public String write(Object value) {
			return this.mapper.writeValueAsString(value);
		}

		@Override
		public <T> T read(String json, Class<T> type) {
			return this.mapper.readValue(json, type);
		}

		@Override
		public String toString() {
			return "Jackson 3";
		}

	}

	private static final class Mapper2 implements Mapper {

		private final ObjectMapper mapper = new ObjectMapper();

		@Override
		public String write(Object value) throws Exception {
			return this.mapper.writeValueAsString(value);
		}

		@Override
		public <T> T read(String json, Class<T> type) throws Exception {
			return this.mapper.readValue(json, type);
		}

		@Override
		public String toString() {
			return "Jackson 2";
		}

	}

}
