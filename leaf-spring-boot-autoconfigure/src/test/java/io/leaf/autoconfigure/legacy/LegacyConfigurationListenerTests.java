// SPDX-License-Identifier: Apache-2.0

package io.leaf.autoconfigure.legacy;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.aot.AotDetector;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.context.event.ApplicationContextInitializedEvent;
import org.springframework.boot.context.event.ApplicationEnvironmentPreparedEvent;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.SpringProperties;
import org.springframework.core.env.CompositePropertySource;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.core.io.support.ResourcePropertySource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

/**
 * Tests for {@link LegacyConfigurationListener} in an application that was processed
 * ahead of time, whose initializer adds the files that {@code @PropertySource} names.
 */
class LegacyConfigurationListenerTests {

	@TempDir
	private Path directory;

	private final StandardEnvironment environment = new StandardEnvironment();

	@BeforeEach
	void processAheadOfTime() {
		SpringProperties.setFlag(AotDetector.AOT_ENABLED);
	}

	@AfterEach
	void reset() {
		SpringProperties.setProperty(AotDetector.AOT_ENABLED, null);
	}

	@Test
	void filesNamedByPropertySourceOverrideNeitherLeafPropertiesNorFormerNames() throws IOException {
		Files.writeString(this.directory.resolve("leaf.properties"), "leaf.name=com.sankuai.leaf");
		this.environment.getPropertySources()
			.addLast(new MapPropertySource("application", Map.of("leaf.jdbc.url", "jdbc:h2:mem:application")));
		ResourcePropertySource file = file("file", """
				leaf.name=company
				leaf.segment.datasource.url=jdbc:h2:mem:company
				leaf.snowflake.enable=true
				other=1
				""");
		initialize(file, new MapPropertySource("remote", Map.of("leaf.jdbc.username", "remote")));
		assertThat(this.environment.getProperty("leaf.name")).isEqualTo("com.sankuai.leaf");
		assertThat(this.environment.getProperty("leaf.segment.datasource.url")).isEqualTo("jdbc:h2:mem:application");
		assertThat(this.environment.getProperty("leaf.segment.datasource.username"))
			.as("from a source of another initializer")
			.isEqualTo("remote");
		assertThat(this.environment.containsProperty("leaf.snowflake.enabled")).isFalse();
		assertThat(this.environment.getProperty("other")).isEqualTo("1");
		assertThat(this.environment.getPropertySources()).last().isSameAs(file);
	}

	@Test
	void filesWithTheSameNameAreFilesNamedByPropertySource() throws IOException {
		CompositePropertySource files = new CompositePropertySource("company");
		files.addPropertySource(file("a", "leaf.snowflake.enable=true"));
		files.addPropertySource(file("b", "other=1"));
		initialize(files);
		assertThat(this.environment.containsProperty("leaf.snowflake.enabled")).isFalse();
		assertThat(this.environment.getProperty("other")).isEqualTo("1");
	}

	@Test
	void defaultPropertiesThatAnInitializerMovesToTheEndDoNotHideFiles() throws IOException {
		MapPropertySource defaults = new MapPropertySource("defaultProperties", Map.of("server.port", "8080"));
		this.environment.getPropertySources().addLast(defaults);
		LegacyConfigurationListener listener = prepared();
		this.environment.getPropertySources().addLast(file("file", "leaf.snowflake.enable=true"));
		this.environment.getPropertySources().remove(defaults.getName());
		this.environment.getPropertySources().addLast(defaults);
		initialized(listener);
		assertThat(this.environment.containsProperty("leaf.snowflake.enabled")).isFalse();
	}

	@Test
	void aFileThatAnotherInitializerAddsFirstKeepsItsPrecedence() throws IOException {
		this.environment.getPropertySources()
			.addLast(new MapPropertySource("application", Map.of("server.port", "8080")));
		LegacyConfigurationListener listener = prepared();
		this.environment.getPropertySources().addFirst(file("override", "server.port=9090"));
		initialized(listener);
		assertThat(this.environment.getProperty("server.port")).isEqualTo("9090");
	}

	private void initialize(PropertySource<?>... added) throws IOException {
		LegacyConfigurationListener listener = prepared();
		Stream.of(added).forEach(this.environment.getPropertySources()::addLast);
		initialized(listener);
	}

	private LegacyConfigurationListener prepared() {
		LegacyConfigurationListener listener = new LegacyConfigurationListener();
		ApplicationEnvironmentPreparedEvent prepared = mock(ApplicationEnvironmentPreparedEvent.class);
		when(prepared.getEnvironment()).thenReturn(this.environment);
		listener.onApplicationEvent(prepared);
		return listener;
	}

	private void initialized(LegacyConfigurationListener listener) throws IOException {
		try (URLClassLoader loader = new URLClassLoader(new URL[] { this.directory.toUri().toURL() }, null);
				GenericApplicationContext context = new GenericApplicationContext()) {
			context.setClassLoader(loader);
			context.setEnvironment(this.environment);
			listener.onApplicationEvent(
					new ApplicationContextInitializedEvent(new SpringApplication(), new String[0], context));
		}
	}

	private static ResourcePropertySource file(String name, String content) throws IOException {
		return new ResourcePropertySource(name, new ByteArrayResource(content.getBytes(StandardCharsets.ISO_8859_1)));
	}

}
