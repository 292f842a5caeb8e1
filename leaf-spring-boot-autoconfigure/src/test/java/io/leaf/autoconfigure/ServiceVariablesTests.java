// SPDX-License-Identifier: Apache-2.0

package io.leaf.autoconfigure;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

import io.leaf.IdGenerator;
import io.leaf.autoconfigure.properties.LeafServersProperties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

/**
 * Tests the environment variables that Kubernetes sets in each container for the Services
 * of its namespace, unless {@code enableServiceLinks} is false.
 */
class ServiceVariablesTests {

	@TempDir
	private Path folder;

	@ParameterizedTest
	@ValueSource(strings = { "leaf", "leaf-server", "leaf-segment", "leaf-worker", "leaf-metrics", "leaf-health" })
	void theVariablesOfAServiceAreNotProperties(String service) {
		try (ConfigurableApplicationContext application = start(TestApplications.BothModes.class, service,
				"spring.datasource.url=jdbc:h2:mem:" + service, "leaf.segment.auto-create.enabled=true",
				"leaf.snowflake.worker.source=jdbc")) {
			assertThat(application.getBean("leafIdGenerator", IdGenerator.class).nextId("order")).isEqualTo(1);
			assertThat(application.getBean("leafSnowflakeIdGenerator", IdGenerator.class).nextId("order")).isPositive();
		}
	}

	@Test
	void theVariablesOfAServiceNamedLeafServerDoNotChangeTheUrlsOfTheServers() {
		try (ConfigurableApplicationContext application = start(TestApplications.WithoutDataSource.class, "leaf-server",
				"leaf.segment.source=server", "leaf.segment.fail-fast=false", "leaf.snowflake.enabled=false",
				"leaf.server.urls=http://127.0.0.1:1", "leaf.server.token=sesame")) {
			LeafServersProperties properties = application.getBean(LeafServersProperties.class);
			assertThat(properties.urls()).singleElement().hasToString("http://127.0.0.1:1");
			assertThat(properties.token()).isEqualTo("sesame");
		}
	}

	@Test
	void theVariablesOfAServiceNamedLeafSnowflakePreventStartupAndAreNamed() {
		assertThatException()
			.isThrownBy(() -> start(TestApplications.BothModes.class, "leaf-snowflake",
					"spring.datasource.url=jdbc:h2:mem:leaf-snowflake", "leaf.snowflake.worker.source=jdbc")
				.close())
			.havingRootCause()
			.withMessageContaining("leaf.snowflake.port")
			.withMessageContaining("tcp://10.96.0.12:8080");
	}

	private ConfigurableApplicationContext start(Class<?> application, String service, String... properties) {
		StandardEnvironment environment = new StandardEnvironment();
		String name = StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME;
		environment.getPropertySources().replace(name, new SystemEnvironmentPropertySource(name, variables(service)));
		return new SpringApplicationBuilder(application).environment(environment)
			.web(WebApplicationType.NONE)
			.properties("leaf.snowflake.enabled=true", "leaf.snowflake.state-dir=" + this.folder)
			.properties(properties)
			.run();
	}

	private static Map<String, Object> variables(String service) {
		String name = service.toUpperCase(Locale.ROOT).replace('-', '_');
		Map<String, Object> variables = new HashMap<>();
		variables.put(name + "_SERVICE_HOST", "10.96.0.12");
		variables.put(name + "_SERVICE_PORT", "8080");
		variables.put(name + "_SERVICE_PORT_API", "8080");
		variables.put(name + "_PORT", "tcp://10.96.0.12:8080");
		variables.put(name + "_PORT_8080_TCP", "tcp://10.96.0.12:8080");
		variables.put(name + "_PORT_8080_TCP_PROTO", "tcp");
		variables.put(name + "_PORT_8080_TCP_PORT", "8080");
		variables.put(name + "_PORT_8080_TCP_ADDR", "10.96.0.12");
		return variables;
	}

}
