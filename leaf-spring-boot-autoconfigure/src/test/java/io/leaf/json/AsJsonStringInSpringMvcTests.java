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

import org.junit.jupiter.api.Test;

import org.springframework.http.MediaType;
import org.springframework.test.web.servlet.assertj.MockMvcTester;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link AsJsonString} with the generation of Jackson that Spring MVC uses.
 */
class AsJsonStringInSpringMvcTests {

	@Test
	void springMvcWritesAndReadsStrings() {
		assertThat(MockMvcTester.of(new Echo())
			.post()
			.uri("/orders")
			.contentType(MediaType.APPLICATION_JSON)
			.content(AsJsonStringContract.JSON)).hasStatusOk().bodyJson().isStrictlyEqualTo(AsJsonStringContract.JSON);
	}

	@RestController
	static class Echo {

		@PostMapping("/orders")
		AsJsonStringContract.Order echo(@RequestBody AsJsonStringContract.Order order) {
			return order;
		}

	}

}
