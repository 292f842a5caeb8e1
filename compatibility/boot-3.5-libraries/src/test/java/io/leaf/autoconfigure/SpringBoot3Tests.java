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

package io.leaf.autoconfigure;

import org.hibernate.Version;
import org.junit.jupiter.api.Test;

import org.springframework.boot.SpringBootVersion;
import org.springframework.util.ClassUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that the others of this module test what they are to.
 */
class SpringBoot3Tests {

	@Test
	void versionsAreThoseOfSpringBoot3() {
		assertThat(SpringBootVersion.getVersion()).startsWith("3.5.");
		assertThat(ClassUtils.isPresent("tools.jackson.databind.json.JsonMapper", null)).as("Jackson 3").isFalse();
		assertThat(Version.getVersionString()).as("Hibernate").startsWith("6.6.");
	}

}
