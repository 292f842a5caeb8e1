// SPDX-License-Identifier: Apache-2.0

package io.leaf.json;

import java.util.Optional;

import io.leaf.text.LeafText;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link io.leaf.text.LeafText} with Jackson 3, which supports optionals
 * without a module.
 */
class LeafTextWithJackson3Tests extends LeafTextContract {

	private final JsonMapper mapper = JsonMapper.builder().addModule(new LeafTextModule(FORMATS)).build();

	@Test
	void optionalsAreTexts() {
		Optionals optionals = new Optionals(Optional.of(1L), Optional.empty());
		String json = "{\"present\":\"ORD-0001\",\"absent\":null}";
		assertThat(write(optionals)).isEqualTo(json);
		assertThat(read(json, Optionals.class)).isEqualTo(optionals);
	}

	@Override
	String write(Object value) {
		return this.mapper.writeValueAsString(value);
	}

	@Override
	<T> T read(String json, Class<T> type) {
		return this.mapper.readValue(json, type);
	}

	record Optionals(@LeafText("order") Optional<Long> present, @LeafText("order") Optional<Long> absent) {
	}

}
