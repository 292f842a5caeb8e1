// SPDX-License-Identifier: Apache-2.0

package io.leaf.autoconfigure;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.util.ClassUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that the class names in imports files and in {@code afterName} exist: Spring Boot
 * ignores names that do not exist.
 */
class AutoConfigurationNamesTests {

	private static final Path FOLDER = Path.of("target/classes/META-INF/spring");

	private static final String MAIN = "org.springframework.boot.autoconfigure.AutoConfiguration";

	/**
	 * Auto-configurations of Spring Boot 4, and their names in 3.5.
	 */
	private static final Map<String, String> MOVED = Map.of(
			"org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration",
			"org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration",
			"org.springframework.boot.jdbc.autoconfigure.XADataSourceAutoConfiguration",
			"org.springframework.boot.autoconfigure.jdbc.XADataSourceAutoConfiguration",
			"org.springframework.boot.jdbc.autoconfigure.DataSourceInitializationAutoConfiguration",
			"org.springframework.boot.autoconfigure.sql.init.SqlInitializationAutoConfiguration");

	/**
	 * The test slices of Spring Boot 4, and their names in 3.5.
	 */
	private static final Map<String, String> SLICES = Map.of(
			"org.springframework.boot.jdbc.test.autoconfigure.AutoConfigureJdbc",
			"org.springframework.boot.test.autoconfigure.jdbc.AutoConfigureJdbc",
			"org.springframework.boot.data.jpa.test.autoconfigure.AutoConfigureDataJpa",
			"org.springframework.boot.test.autoconfigure.orm.jpa.AutoConfigureDataJpa",
			"org.springframework.boot.data.jdbc.test.autoconfigure.AutoConfigureDataJdbc",
			"org.springframework.boot.test.autoconfigure.data.jdbc.AutoConfigureDataJdbc",
			"org.springframework.boot.data.r2dbc.test.autoconfigure.AutoConfigureDataR2dbc",
			"org.springframework.boot.test.autoconfigure.data.r2dbc.AutoConfigureDataR2dbc",
			"org.springframework.boot.webmvc.test.autoconfigure.AutoConfigureWebMvc",
			"org.springframework.boot.test.autoconfigure.web.servlet.AutoConfigureWebMvc",
			"org.springframework.boot.webflux.test.autoconfigure.AutoConfigureWebFlux",
			"org.springframework.boot.test.autoconfigure.web.reactive.AutoConfigureWebFlux",
			// these three never moved
			"org.springframework.boot.test.autoconfigure.json.AutoConfigureJson",
			"org.springframework.boot.test.autoconfigure.json.AutoConfigureJson",
			"org.mybatis.spring.boot.test.autoconfigure.AutoConfigureMybatis",
			"org.mybatis.spring.boot.test.autoconfigure.AutoConfigureMybatis",
			"com.baomidou.mybatisplus.test.autoconfigure.AutoConfigureMybatisPlus",
			"com.baomidou.mybatisplus.test.autoconfigure.AutoConfigureMybatisPlus");

	@Test
	void allAutoConfigurationsAreRegistered() throws IOException {
		Set<String> present = new TreeSet<>();
		try (Stream<Path> files = Files.walk(Path.of("target/classes/io/leaf"))) {
			files.map((file) -> Path.of("target/classes").relativize(file).toString())
				.filter((name) -> name.endsWith("AutoConfiguration.class"))
				.forEach((name) -> present.add(name.replace(".class", "").replace('/', '.')));
		}
		assertThat(lines(MAIN)).containsExactlyElementsOf(present).hasSizeGreaterThan(1);
	}

	@ParameterizedTest
	@MethodSource("importsFiles")
	void importedClassesExist(String file) {
		assertThat(lines(file)).isNotEmpty()
			.allSatisfy((name) -> assertThat(load(name)).hasAnnotation(AutoConfiguration.class));
	}

	@Test
	void filesAreNamedAfterTheSlices() {
		Set<String> expected = new TreeSet<>(SLICES.values());
		expected.addAll(SLICES.keySet());
		expected.add(MAIN);
		assertThat(importsFiles()).containsExactlyInAnyOrderElementsOf(expected);
		assertThat(SLICES.keySet()).allSatisfy((name) -> assertThat(load(name)).isAnnotation());
		SLICES.forEach((slice, before) -> assertThat(lines(slice)).isEqualTo(lines(before)));
	}

	@ParameterizedTest
	@MethodSource("autoConfigurations")
	void namesInAfterNameAndBeforeNameExistInBothGenerations(Class<?> autoConfiguration) {
		AutoConfiguration annotation = autoConfiguration.getAnnotation(AutoConfiguration.class);
		Set<String> names = Stream.of(annotation.afterName(), annotation.beforeName())
			.flatMap(Stream::of)
			.collect(Collectors.toCollection(TreeSet::new));
		Set<String> expected = new TreeSet<>();
		MOVED.forEach((now, before) -> {
			if (names.contains(now) || names.contains(before)) {
				assertThat(load(now)).hasAnnotation(AutoConfiguration.class);
				expected.addAll(Set.of(now, before));
			}
		});
		assertThat(names).as("a name of only one generation, or a name that is missing in MOVED").isEqualTo(expected);
	}

	static List<String> importsFiles() {
		try (Stream<Path> files = Files.list(FOLDER)) {
			return files.map((file) -> file.getFileName().toString())
				.filter((name) -> name.endsWith(".imports"))
				.map((name) -> name.substring(0, name.length() - ".imports".length()))
				.toList();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	static List<Class<?>> autoConfigurations() {
		return lines(MAIN).stream().<Class<?>>map(AutoConfigurationNamesTests::load).toList();
	}

	private static List<String> lines(String file) {
		try {
			return Files.readAllLines(FOLDER.resolve(file + ".imports"));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static Class<?> load(String name) {
		return ClassUtils.resolveClassName(name, AutoConfigurationNamesTests.class.getClassLoader());
	}

}
