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

import java.util.Optional;
import java.util.OptionalLong;

import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link AsJsonString} with Jackson 3, which knows optionals by itself.
 */
class AsJsonStringWithJackson3Tests extends AsJsonStringContract {

	private final JsonMapper mapper = new JsonMapper();

	@Test
	void optionalsAreWrittenAsStrings() {
		assertThat(write(new Optionals(Optional.of(ID), Optional.empty())))
			.isEqualTo("{\"present\":\"9007199254740993\",\"absent\":null}");
	}

	/**
	 * What the documentation says about a type that has no wrapper in it.
	 */
	@Test
	void primitivesInsideOfOptionalsStayNumbers() {
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
