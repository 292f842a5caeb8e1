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
package io.leaf.actuate;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link MeteredKeys}.
 */
class MeteredKeysTests {

	@Test
	void keysBeyondTheBoundShareATag() {
		MeteredKeys keys = new MeteredKeys(2);
		assertThat(keys.tagOf("a")).isEqualTo("a");
		assertThat(keys.tagOf("b")).isEqualTo("b");
		assertThat(keys.tagOf("c")).isEqualTo("_others");
		assertThat(keys.tagOf("a")).as("again").isEqualTo("a");
		assertThat(keys.tagOf("c")).as("again").isEqualTo("_others");
	}

	@Test
	void aKeyOfThatNameIsOneOfTheOthers() {
		MeteredKeys keys = new MeteredKeys(1);
		assertThat(keys.tagOf("_others")).isEqualTo("_others");
		assertThat(keys.tagOf("a")).isEqualTo("a");
	}

	@Test
	void none() {
		assertThat(new MeteredKeys(0).tagOf("a")).isEqualTo("_others");
	}

}
