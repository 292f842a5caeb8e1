// SPDX-License-Identifier: Apache-2.0

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
	void theGeneratorDependsOnTheApiOnly() {
		classes().that()
			.resideInAPackage("io.leaf.test")
			.should()
			.onlyDependOnClassesThat()
			.resideInAnyPackage("java..", "io.leaf", "io.leaf.support", "io.leaf.text", "io.leaf.test",
					"org.jspecify..")
			.check(classes);
	}

	@Test
	void eachOptionalDependencyIsUsedInOnePlace() {
		assertThat(namesOfClassesUsing("org.testcontainers", "org.springframework.boot.testcontainers")).isNotEmpty()
			.allMatch((name) -> name.startsWith("io.leaf.test.testcontainers."));
		assertThat(namesOfClassesUsing("org.springframework.test"))
			.containsExactly("io.leaf.test.autoconfigure.ResetTestIdGeneratorListener");
	}

	private static Set<String> namesOfClassesUsing(String... packages) {
		return classes.stream()
			.filter((type) -> type.getDirectDependenciesFromSelf()
				.stream()
				.map((dependency) -> dependency.getTargetClass().getName())
				.anyMatch((name) -> Set.of(packages).stream().anyMatch((prefix) -> name.startsWith(prefix + "."))))
			.map(JavaClass::getName)
			.collect(Collectors.toCollection(TreeSet::new));
	}

	@Test
	void publicClassesAreIntended() {
		assertThat(classes.stream()
			.filter((type) -> type.getModifiers().contains(JavaModifier.PUBLIC))
			.map(JavaClass::getSimpleName)).containsExactlyInAnyOrder("TestIdGenerator", "AutoConfigureTestIdGenerator",
					"TestIdGeneratorAutoConfiguration");
	}

}
