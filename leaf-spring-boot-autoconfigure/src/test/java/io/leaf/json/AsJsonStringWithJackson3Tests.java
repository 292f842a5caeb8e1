// SPDX-License-Identifier: Apache-2.0

package io.leaf.json;

import java.util.Optional;
import java.util.OptionalLong;

import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link AsJsonString} with Jackson 3, which supports optionals without a
 * module.
 */
class AsJsonStringWithJackson3Tests extends AsJsonStringContract {

	private final JsonMapper mapper = new JsonMapper();

	@Test
	void optionalsAreWrittenAsStrings() {
		assertThat(write(new Optionals(Optional.of(ID), Optional.empty())))
			.isEqualTo("{\"present\":\"9007199254740993\",\"absent\":null}");
	}

	/**
	 * The documentation says that optionals of primitives are still written as numbers.
	 */
	@Test
	void primitivesInOptionalsStayNumbers() {
		assertThat(write(new Maybe(OptionalLong.of(ID)))).isEqualTo("{\"id\":9007199254740993}");
	}

	@Override
	String write(Object value) {
		return this.mapper.writeValueAsString(value);
	}

	@Override
	<T> T read(String json, Class<T> type) {
		return this.mapper.readValue(json, type);
	}

	record Optionals(@AsJsonString Optional<Long> present, @AsJsonString Optional<Long> absent) {
	}

	record Maybe(@AsJsonString OptionalLong id) {
	}

}
