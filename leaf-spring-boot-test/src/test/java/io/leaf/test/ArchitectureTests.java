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

package io.leaf.test;

import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static org.assertj.core.api.Assertions.assertThat;

class ArchitectureTests {

	private static final JavaClasses classes = new ClassFileImporter()
		.withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
		.importPackages("io.leaf.test");

	@Test
	void theGeneratorNeedsTheApiAlone() {
		classes().that()
			.resideInAPackage("io.leaf.test")
			.should()
			.onlyDependOnClassesThat()
			.resideInAnyPackage("java..", "io.leaf", "io.leaf.test", "org.jspecify..")
			.check(classes);
	}

	@Test
	void whatIsOptionalIsKnownInOnePlaceEach() {
		assertThat(knowing("org.testcontainers", "org.springframework.boot.testcontainers")).isNotEmpty()
			.allMatch((name) -> name.startsWith("io.leaf.test.testcontainers."));
		assertThat(knowing("org.springframework.test"))
			.containsExactly("io.leaf.test.autoconfigure.ResetTestIdGeneratorListener");
	}

	private static Set<String> knowing(String... packages) {
		return classes.stream()
			.filter((type) -> type.getDirectDependenciesFromSelf()
				.stream()
				.map((dependency) -> dependency.getTargetClass().getName())
				.anyMatch((name) -> Set.of(packages).stream().anyMatch((prefix) -> name.startsWith(prefix + "."))))
			.map(JavaClass::getName)
			.collect(Collectors.toCollection(TreeSet::new));
	}

	@Test
	void whatIsPublicWasMeantToBe() {
		assertThat(classes.stream()
			.filter((type) -> type.getModifiers().contains(JavaModifier.PUBLIC))
			.map(JavaClass::getSimpleName)).containsExactlyInAnyOrder("TestIdGenerator", "AutoConfigureTestIdGenerator",
					"TestIdGeneratorAutoConfiguration");
	}

}
