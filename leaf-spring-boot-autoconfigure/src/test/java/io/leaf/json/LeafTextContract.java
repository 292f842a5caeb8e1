// SPDX-License-Identifier: Apache-2.0

package io.leaf.json;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import io.leaf.text.IdFormat;
import io.leaf.text.IdFormats;
import io.leaf.text.LeafText;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.skyscreamer.jsonassert.JSONAssert;
import org.skyscreamer.jsonassert.JSONCompareMode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

/**
 * The behavior of every major version of Jackson with {@link LeafText}.
 */
abstract class LeafTextContract {

	static final IdFormats FORMATS = new IdFormats(
			Map.of("order", IdFormat.of("ORD-{number:4}"), "item", IdFormat.of("{crockford:3}{check}")));

	private static final Order ORDER = new Order(7, 8L, null, List.of(9L, 10L), new Long[] { 11L }, Map.of("a", 12L),
			13);

	private static final String JSON = """
			{"id":"ORD-0007","parent":"ORD-0008","next":null,"items":["009P","00AN"],"parcels":["ORD-0011"],
			"byName":{"a":"ORD-0012"},"number":13}""";

	@Test
	void idsAreWrittenAsTexts() throws Exception {
		JSONAssert.assertEquals(JSON, write(ORDER), JSONCompareMode.STRICT);
	}

	@Test
	void textsAreRead() throws Exception {
		assertThat(read(JSON, Order.class)).usingRecursiveComparison().isEqualTo(ORDER);
	}

	@Test
	void fieldsGettersAndSettersMayBeAnnotated() throws Exception {
		String json = "{\"field\":\"ORD-0001\",\"getter\":\"ORD-0002\",\"setter\":3}";
		Bean bean = read(json, Bean.class);
		assertThat(List.of(bean.field, bean.getter, bean.setter)).containsExactly(1L, 2L, 30L);
		JSONAssert.assertEquals("""
				{"field":"ORD-0001","getter":"ORD-0002","setter":"30"}""", write(bean), JSONCompareMode.STRICT);
	}

	@Test
	void aKeyWithoutAFormatHasDecimalTextsAndReadsNumbers() throws Exception {
		assertThat(write(new Plain(5))).isEqualTo("{\"id\":\"5\"}");
		assertThat(read("{\"id\":\"5\"}", Plain.class).id()).isEqualTo(5);
		assertThat(read("{\"id\":5}", Plain.class).id()).isEqualTo(5);
	}

	@ParameterizedTest
	@ValueSource(strings = { "\"ORD-007\"", "\"7\"", "7", "\"\"", "\"ord-0007\"", "\" ORD-0007\"" })
	void aTextInAnotherFormatIsRefused(String text) {
		assertThatException().isThrownBy(() -> read("{\"id\":%s}".formatted(text), OrderId.class))
			.withMessageContaining("is not the text of an ID")
			.withMessageContaining("ORD-{number:4}");
	}

	@ParameterizedTest
	@ValueSource(strings = { "true", "1.5", "[\"ORD-0007\"]", "{}" })
	void otherJsonIsRefused(String value) {
		assertThatException().isThrownBy(() -> read("{\"id\":%s}".formatted(value), OrderId.class));
		assertThatException().isThrownBy(() -> read("{\"ids\":[%s]}".formatted(value), OrderIds.class));
	}

	@Test
	void anElementThatIsNotATextOfTheFormatIsRefused() throws Exception {
		assertThatException().isThrownBy(() -> read("{\"ids\":[\"ORD-0007\",\"8\"]}", OrderIds.class))
			.withMessageContaining("'8' is not the text of an ID");
		assertThat(read("{\"ids\":[\"ORD-0007\",null]}", OrderIds.class).ids()).containsExactly(7L, null);
		assertThat(read("{\"ids\":null}", OrderIds.class).ids()).isNull();
	}

	@Test
	void anIdThatDoesNotFitIsNotWritten() {
		assertThatException().isThrownBy(() -> write(new OrderId(10_000)))
			.withMessageContaining("does not fit the format 'ORD-{number:4}'");
	}

	@Test
	void typesThatWouldStayNumbersAreRefused() {
		assertThatException().isThrownBy(() -> write(new Primitives(new long[] { 1 })))
			.withMessageContaining("@LeafText does not support [J of long");
		assertThatException().isThrownBy(() -> read("{\"ids\":[1]}", Primitives.class))
			.withMessageContaining("@LeafText does not support [J of long");
		assertThatException().isThrownBy(() -> write(new Streamed(Stream.of(1L))))
			.withMessageContaining("@LeafText does not support java.util.stream.Stream of java.lang.Long");
		assertThatException().isThrownBy(() -> write(new Nested(List.of(List.of(1L)))))
			.withMessageContaining("@LeafText does not support java.util.List of java.util.List");
		assertThatException().isThrownBy(() -> write(new Texts("ORD-0001")))
			.withMessageContaining("@LeafText does not support java.lang.String. Use it on a long or Long");
	}

	@Test
	void nullForAPrimitiveIsTreatedAsForOtherNumbers() throws Exception {
		Object expected = outcome(Numbers.class);
		assertThat(outcome(OrderId.class)).isEqualTo(expected);
	}

	private Object outcome(Class<?> type) throws Exception {
		try {
			return read("{\"id\":null}", type).hashCode();
		}
		catch (Exception ex) {
			return ex.getClass();
		}
	}

	abstract String write(Object value) throws Exception;

	abstract <T> T read(String json, Class<T> type) throws Exception;

	record Order(@LeafText("order") long id, @LeafText("order") Long parent, @LeafText("order") Long next,
			@LeafText("item") List<Long> items, @LeafText("order") Long[] parcels,
			@LeafText("order") Map<String, Long> byName, long number) {
	}

	record OrderId(@LeafText("order") long id) {
	}

	record OrderIds(@LeafText("order") List<Long> ids) {
	}

	record Plain(@LeafText("other") long id) {
	}

	record Primitives(@LeafText("order") long[] ids) {
	}

	record Streamed(@LeafText("order") Stream<Long> ids) {
	}

	record Nested(@LeafText("order") List<List<Long>> ids) {
	}

	record Texts(@LeafText("order") String id) {
	}

	record Numbers(long id) {
	}

	static class Bean {

		@LeafText("order")
		public long field;

		private long getter;

		private long setter;

		@LeafText("order")
		public long getGetter() {
			return this.getter;
		}

		public void setGetter(long getter) {
			this.getter = getter;
		}

		public Long getSetter() {
			return this.setter;
		}

		@LeafText("other")
		public void setSetter(Long setter) {
			this.setter = 10 * setter;
		}

	}

}
