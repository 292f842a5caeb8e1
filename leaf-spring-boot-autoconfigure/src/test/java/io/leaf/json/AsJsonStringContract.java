// SPDX-License-Identifier: Apache-2.0

package io.leaf.json;

import java.util.List;
import java.util.Map;
import java.util.Set;

import org.junit.jupiter.api.Test;
import org.skyscreamer.jsonassert.JSONAssert;
import org.skyscreamer.jsonassert.JSONCompareMode;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The behavior of every major version of Jackson with {@link AsJsonString}.
 */
abstract class AsJsonStringContract {

	/**
	 * The smallest positive integer that a JavaScript number cannot represent exactly.
	 */
	static final long ID = (1L << 53) + 1;

	static final Order ORDER = new Order(ID, ID, null, List.of(ID, 2L), new Long[] { ID }, Map.of("a", ID), ID);

	static final String JSON = """
			{"id":"9007199254740993","customer":"9007199254740993","invoice":null,
			"items":["9007199254740993","2"],"parcels":["9007199254740993"],"byName":{"a":"9007199254740993"},
			"number":9007199254740993}""";

	@Test
	void idsAreWrittenAsStrings() throws Exception {
		JSONAssert.assertEquals(JSON, write(ORDER), JSONCompareMode.STRICT);
	}

	@Test
	void stringsAreRead() throws Exception {
		assertThat(read(JSON, Order.class)).usingRecursiveComparison().isEqualTo(ORDER);
	}

	@Test
	void numbersAreRead() throws Exception {
		String numbers = JSON.replaceAll("\"(\\d+)\"", "$1");
		assertThat(numbers).contains("\"id\":9007199254740993,");
		assertThat(read(numbers, Order.class)).usingRecursiveComparison().isEqualTo(ORDER);
	}

	@Test
	void fieldsAndGettersMayBeAnnotated() throws Exception {
		JSONAssert.assertEquals("""
				{"field":"9007199254740993","getter":"9007199254740993"}""", write(new Bean()), JSONCompareMode.STRICT);
	}

	@Test
	void elementsOfElementsAreWrittenAsStrings() throws Exception {
		assertThat(write(new Nested(Map.of("a", List.of(Set.of(ID))))))
			.isEqualTo("{\"ids\":{\"a\":[[\"9007199254740993\"]]}}");
	}

	/**
	 * The documentation says that arrays of primitives are still written as numbers.
	 */
	@Test
	void primitivesInArraysStayNumbers() throws Exception {
		assertThat(write(new Primitives(new long[] { ID }))).isEqualTo("{\"ids\":[9007199254740993]}");
	}

	abstract String write(Object value) throws Exception;

	abstract <T> T read(String json, Class<T> type) throws Exception;

	record Order(@AsJsonString long id, @AsJsonString Long customer, @AsJsonString Long invoice,
			@AsJsonString List<Long> items, @AsJsonString Long[] parcels, @AsJsonString Map<String, Long> byName,
			long number) {
	}

	record Nested(@AsJsonString Map<String, List<Set<Long>>> ids) {
	}

	record Primitives(@AsJsonString long[] ids) {
	}

	static class Bean {

		@AsJsonString
		public final long field = ID;

		@AsJsonString
		public long getGetter() {
			return ID;
		}

	}

}
