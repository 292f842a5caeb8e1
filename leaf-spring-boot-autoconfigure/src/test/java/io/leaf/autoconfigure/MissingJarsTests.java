// SPDX-License-Identifier: Apache-2.0

package io.leaf.autoconfigure;

import java.io.File;
import java.lang.reflect.Constructor;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.sql.Driver;
import java.sql.DriverManager;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that Leaf works if optional classes are missing, in a class loader that has only
 * the named jars. {@code FilteredClassLoader} hides classes from conditions, but not from
 * Leaf's own classes.
 */
@ExtendWith(OutputCaptureExtension.class)
class MissingJarsTests {

	private static final List<String> REQUIRED = List.of("spring-boot", "spring-boot-autoconfigure", "spring-beans",
			"spring-context", "spring-aop", "spring-expression", "spring-core", "micrometer-observation",
			"micrometer-commons", "commons-logging", "slf4j-api", "logback-classic", "logback-core", "jspecify", "h2");

	private static final List<String> JDBC = List.of("spring-jdbc", "spring-tx", "spring-boot-jdbc", "spring-boot-sql",
			"spring-boot-transaction", "spring-boot-persistence");

	@Test
	void springJdbcIsEnough(CapturedOutput output) throws Exception {
		assertThat(firstId(JDBC)).isEqualTo("500");
		assertThat(output).contains("To give Leaf a pool of its own, set leaf.segment.datasource.url");
	}

	/**
	 * Simulates a packaged application, in which DriverManager finds no driver on the
	 * library's threads.
	 */
	@Test
	void driverThatDriverManagerDoesNotFindIsUsed() throws Exception {
		Driver registered = DriverManager.getDriver("jdbc:h2:mem:");
		DriverManager.deregisterDriver(registered);
		try {
			assertThat(firstId(MinimalApplication.WithUrl.class, JDBC, "HikariCP")).isEqualTo("500");
		}
		finally {
			DriverManager.registerDriver(registered);
		}
	}

	@Test
	void springJdbcWithHikariIsEnough() throws Exception {
		assertThat(firstId(JDBC, "HikariCP")).isEqualTo("500");
	}

	@Test
	void actuatorDoesNotNeedJackson() throws Exception {
		assertThat(firstId(JDBC, "spring-boot-actuator", "spring-boot-actuator-autoconfigure")).isEqualTo("500");
	}

	@Test
	void noGeneratorWithoutSpringBootJdbc() throws Exception {
		assertThat(firstId(List.of("spring-jdbc", "spring-tx"))).isEqualTo(MinimalApplication.NO_GENERATOR);
	}

	@Test
	void noGeneratorWithoutSpringJdbc() throws Exception {
		assertThat(firstId(List.of())).isEqualTo(MinimalApplication.NO_GENERATOR);
	}

	private static String firstId(List<String> optional, String... more) throws Exception {
		return firstId(MinimalApplication.class, optional, more);
	}

	private static String firstId(Class<?> type, List<String> optional, String... more) throws Exception {
		List<String> artifacts = Stream.of(REQUIRED, optional, List.of(more)).flatMap(List::stream).toList();
		ClassLoader before = Thread.currentThread().getContextClassLoader();
		try (URLClassLoader loader = new URLClassLoader(urls(artifacts), ClassLoader.getPlatformClassLoader())) {
			Thread.currentThread().setContextClassLoader(loader);
			Constructor<?> constructor = loader.loadClass(type.getName()).getDeclaredConstructor();
			constructor.setAccessible(true);
			@SuppressWarnings("unchecked")
			Function<String, String> application = (Function<String, String>) constructor.newInstance();
			return application.apply("order");
		}
		finally {
			Thread.currentThread().setContextClassLoader(before);
		}
	}

	private static URL[] urls(List<String> artifacts) throws Exception {
		List<URL> urls = new ArrayList<>();
		List<String> missing = new ArrayList<>(artifacts);
		for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
			Path path = Path.of(entry);
			String artifact = path.getFileName().toString().replaceFirst("-\\d.*\\.jar$", "");
			if (missing.remove(artifact) || !entry.endsWith(".jar")) {
				urls.add(path.toUri().toURL());
			}
		}
		assertThat(missing).as("not on the classpath").isEmpty();
		return urls.toArray(URL[]::new);
	}

}
