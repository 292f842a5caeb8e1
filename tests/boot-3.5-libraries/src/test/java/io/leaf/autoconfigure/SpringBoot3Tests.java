// SPDX-License-Identifier: Apache-2.0

package io.leaf.autoconfigure;

import org.hibernate.Version;
import org.junit.jupiter.api.Test;

import org.springframework.boot.SpringBootVersion;
import org.springframework.util.ClassUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that this module runs with the libraries of Spring Boot 3.5.
 */
class SpringBoot3Tests {

	@Test
	void versionsAreThoseOfSpringBoot3() {
		assertThat(SpringBootVersion.getVersion()).startsWith("3.5.");
		assertThat(ClassUtils.isPresent("tools.jackson.databind.json.JsonMapper", null)).as("Jackson 3").isFalse();
		assertThat(Version.getVersionString()).as("Hibernate").startsWith("6.6.");
	}

}
