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

import com.fasterxml.jackson.databind.ObjectMapper;

/**
 * Tests for {@link AsJsonString} with Jackson 2.
 */
class AsJsonStringWithJackson2Tests extends AsJsonStringContract {

	private final ObjectMapper mapper = new ObjectMapper();

	@Override
	String write(Object value) throws Exception {
		return this.mapper.writeValueAsString(value);
	}

	@Override
	<T> T read(String json, Class<T> type) throws Exception {
		return this.mapper.readValue(json, type);
	}

}
