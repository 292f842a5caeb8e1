// SPDX-License-Identifier: Apache-2.0

package io.leaf.json;

import org.junit.jupiter.api.Test;

import org.springframework.http.MediaType;
import org.springframework.test.web.servlet.assertj.MockMvcTester;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link AsJsonString} with the version of Jackson that Spring MVC uses.
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
