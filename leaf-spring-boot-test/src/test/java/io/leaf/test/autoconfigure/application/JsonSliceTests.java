// SPDX-License-Identifier: Apache-2.0

package io.leaf.test.autoconfigure.application;

import io.leaf.IdGenerator;
import io.leaf.test.autoconfigure.AutoConfigureTestIdGenerator;
import org.junit.jupiter.api.RepeatedTest;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.autoconfigure.json.JsonTest;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A slice that does not include Leaf.
 */
@JsonTest
@AutoConfigureTestIdGenerator
class JsonSliceTests {

	@RepeatedTest(2)
	void issuesIds(@Autowired IdGenerator generator) {
		assertThat(generator.nextId("order")).isOne();
	}

}
