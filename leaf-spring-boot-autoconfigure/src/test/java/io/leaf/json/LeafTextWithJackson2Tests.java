// SPDX-License-Identifier: Apache-2.0

package io.leaf.json;

import com.fasterxml.jackson.databind.ObjectMapper;

/**
 * Tests for {@link io.leaf.text.LeafText} with Jackson 2.
 */
class LeafTextWithJackson2Tests extends LeafTextContract {

	private final ObjectMapper mapper = new ObjectMapper().registerModule(new LeafTextJackson2Module(FORMATS));

	@Override
	String write(Object value) throws Exception {
		return this.mapper.writeValueAsString(value);
	}

	@Override
	<T> T read(String json, Class<T> type) throws Exception {
		return this.mapper.readValue(json, type);
	}

}
