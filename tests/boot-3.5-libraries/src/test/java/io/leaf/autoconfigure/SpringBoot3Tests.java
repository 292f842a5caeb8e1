// SPDX-License-Identifier: Apache-2.0

package io.leaf.autoconfigure;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

import org.hibernate.Version;
import org.junit.jupiter.api.Test;

import org.springframework.boot.SpringBootVersion;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.core.type.classreading.SimpleMetadataReaderFactory;
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

	// Spring Boot ignores names in afterName and beforeName that do not exist
	@Test
	void namesOfAutoConfigurationsOfSpringBoot3Exist() throws IOException {
		SimpleMetadataReaderFactory classes = new SimpleMetadataReaderFactory();
		Set<String> names = new TreeSet<>();
		for (String name : ImportCandidates.load(AutoConfiguration.class, getClass().getClassLoader())) {
			if (name.startsWith("io.leaf.")) {
				Map<String, Object> attributes = classes.getMetadataReader(name)
					.getAnnotationMetadata()
					.getAnnotationAttributes(AutoConfiguration.class.getName());
				names.addAll(List.of((String[]) attributes.get("afterName")));
				names.addAll(List.of((String[]) attributes.get("beforeName")));
			}
		}
		names.removeIf((name) -> !name.startsWith("org.springframework.boot.autoconfigure."));
		assertThat(names).isNotEmpty()
			.allSatisfy((name) -> assertThat(ClassUtils.isPresent(name, null)).as(name).isTrue());
	}

}
