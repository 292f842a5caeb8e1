// SPDX-License-Identifier: Apache-2.0

package io.leaf.autoconfigure.legacy;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import org.springframework.core.io.DefaultResourceLoader;

/**
 * An application that is configured like an application with Meituan's Leaf.
 */
public final class LegacyConfiguration implements AutoCloseable {

	private final Path directory;

	private final URLClassLoader classLoader;

	private final Map<String, Object> variables = new LinkedHashMap<>();

	/**
	 * Creates an application.
	 * @param directory the root of its classpath
	 */
	LegacyConfiguration(Path directory) throws IOException {
		this.directory = directory;
		this.classLoader = new URLClassLoader(new URL[] { directory.toUri().toURL() }, getClass().getClassLoader());
	}

	/**
	 * Returns the former names of each property, by its current name.
	 */
	public static Map<String, List<String>> formerNames() {
		return LegacyPropertyNames.NAMES;
	}

	LegacyConfiguration withFile(String name, String content) throws IOException {
		Files.writeString(this.directory.resolve(name), content, StandardCharsets.ISO_8859_1);
		return this;
	}

	LegacyConfiguration withVariable(String name, String value) {
		this.variables.put(name, value);
		return this;
	}

	/**
	 * Returns a builder that starts the application with a configuration class.
	 */
	SpringApplicationBuilder builder(Class<?> configuration) {
		ConfigurableEnvironment environment = new StandardEnvironment();
		environment.getPropertySources()
			.replace(StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME, new SystemEnvironmentPropertySource(
					StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME, this.variables));
		return new SpringApplicationBuilder(new DefaultResourceLoader(this.classLoader), configuration)
			.environment(environment)
			.web(WebApplicationType.NONE)
			.registerShutdownHook(false)
			.logStartupInfo(false);
	}

	@Override
	public void close() throws IOException {
		this.classLoader.close();
	}

	@Configuration(proxyBeanMethods = false)
	static class Empty {

	}

}
