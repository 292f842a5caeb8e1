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

import java.io.IOException;
import java.net.ServerSocket;
import java.util.Map;

import javax.sql.DataSource;

import io.leaf.IdGenerator;
import io.leaf.SegmentUnavailableException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link LeafFailureAnalyzer} and {@link LeafPropertyFailureAnalyzer}: what an
 * application says that does not start.
 */
@ExtendWith(OutputCaptureExtension.class)
class LeafFailureAnalyzerTests {

	private final MemoryDatabase database = new MemoryDatabase();

	@AfterEach
	void close() {
		this.database.close();
	}

	@Test
	void missingTable(CapturedOutput output) {
		assertThat(failure(output, this.database.property(), "leaf.segment.initialize-schema=never"))
			.contains("There is no table leaf_alloc", "leaf.segment.initialize-schema=always", "leaf.segment.table")
			.doesNotContain("leaf.segment.fail-fast");
	}

	@Test
	void tableOfSomebodyElse(CapturedOutput output) {
		this.database.execute("CREATE TABLE users (id INT)");
		assertThat(failure(output, this.database.property(), "leaf.segment.table=users"))
			.contains("Table users is not a Leaf table", "biz_tag, max_id and step", "leaf.segment.table");
	}

	@Test
	void tableThatTheUserMayNotRead(CapturedOutput output) {
		this.database.withTable().execute("CREATE USER reader PASSWORD 'secret'");
		assertThat(failure(output, this.database.property(), "leaf.segment.initialize-schema=never",
				"spring.datasource.username=reader", "spring.datasource.password=secret"))
			.contains("may not use table leaf_alloc", "Grant SELECT and UPDATE");
	}

	@Test
	void wrongPassword(CapturedOutput output) {
		assertThat(failure(output, this.database.property(), "spring.datasource.username=sa",
				"spring.datasource.password=secret"))
			.contains("The database rejects the credentials", "spring.datasource.username and .password",
					"leaf.segment.datasource.username");
		assertThat(output).doesNotContain("secret");
	}

	@ParameterizedTest
	@ValueSource(strings = { "embedded", "always" })
	void databaseIsDown(String initializeSchema, CapturedOutput output) throws IOException {
		assertThat(failure(output, unreachable(), "leaf.segment.acquire-timeout=100ms",
				"leaf.segment.initialize-schema=" + initializeSchema))
			.contains("The database of table leaf_alloc cannot be reached", "spring.datasource.url")
			.contains("leaf.segment.fail-fast=false");
	}

	@ParameterizedTest
	@ValueSource(strings = { "embedded", "always" })
	void databaseIsDownAndStartGoesOn(String initializeSchema, CapturedOutput output) throws IOException {
		try (ConfigurableApplicationContext context = run(unreachable(), "leaf.segment.fail-fast=false",
				"leaf.segment.acquire-timeout=5s", "leaf.segment.initialize-schema=" + initializeSchema)) {
			assertThat(output).contains("Starting without the rows of any key, since leaf.segment.fail-fast=false");
			assertThatExceptionOfType(SegmentUnavailableException.class)
				.isThrownBy(() -> context.getBean(IdGenerator.class).nextId("order"))
				.withMessageContaining("The database of table leaf_alloc cannot be reached");
		}
	}

	@Test
	void noDataSource(CapturedOutput output) {
		assertThat(failure(application(NoDataSource.class), output, "leaf.segment.enabled=true"))
			.contains("Segment mode is enabled, but there is no DataSource bean")
			.contains("spring.datasource.url", "@LeafDataSource", "leaf.segment.datasource.url",
					"leaf.segment.enabled=false");
	}

	@Test
	void severalDataSources(CapturedOutput output) {
		assertThat(failure(application(TwoDataSources.class), output))
			.contains("several DataSource beans, none of them primary: first, second")
			.contains("@LeafDataSource", "leaf.segment.datasource.url");
	}

	@Test
	void invalidValue(CapturedOutput output) {
		assertThat(failure(output, this.database.property(), "leaf.segment.max-step=0"))
			.contains("leaf.segment.max-step", "'0'", "It must be from 1 to 1000000000")
			.contains("originating from");
	}

	@Test
	void invalidTable(CapturedOutput output) {
		assertThat(failure(output, this.database.property(), "leaf.segment.table=leaf alloc"))
			.contains("leaf.segment.table", "'leaf alloc'", "It must be a table name: letters, digits");
	}

	@ParameterizedTest
	@ValueSource(strings = { "enabled=maybe", "max-step=many", "initialize-schema=sometimes", "acquire-timeout=soon" })
	void valueOfAnotherType(String property, CapturedOutput output) {
		assertThat(failure(output, this.database.property(), "leaf.segment." + property))
			.contains("leaf.segment." + property.substring(0, property.indexOf('=')))
			.contains(property.substring(property.indexOf('=') + 1));
	}

	@Test
	void invalidValueOfAnEnvironmentVariable(CapturedOutput output) {
		SpringApplication application = application(Application.class);
		ConfigurableEnvironment environment = new StandardEnvironment();
		environment.getPropertySources()
			.addFirst(
					new SystemEnvironmentPropertySource("test-systemEnvironment", Map.of("LEAF_SEGMENT_MAXSTEP", "0")));
		application.setEnvironment(environment);
		assertThat(failure(application, output, this.database.property())).contains("leaf.segment.max-step")
			.contains("LEAF_SEGMENT_MAXSTEP", "It must be from 1 to 1000000000");
	}

	@Test
	void scriptThatFails(CapturedOutput output) {
		this.database.execute("CREATE USER reader PASSWORD 'secret'");
		assertThat(failure(output, this.database.property(), "leaf.segment.initialize-schema=always",
				"spring.datasource.username=reader", "spring.datasource.password=secret"))
			.contains("Table leaf_alloc cannot be created", "sql/schema-h2.sql",
					"leaf.segment.initialize-schema=never");
	}

	private static String failure(CapturedOutput output, String... properties) {
		return failure(application(Application.class), output, properties);
	}

	private static String failure(SpringApplication application, CapturedOutput output, String... properties) {
		assertThatException().isThrownBy(() -> application.run(arguments(properties)).close());
		String banner = "APPLICATION FAILED TO START";
		assertThat(output).contains(banner);
		return output.getAll().substring(output.getAll().indexOf(banner));
	}

	private static ConfigurableApplicationContext run(String... properties) {
		return application(Application.class).run(arguments(properties));
	}

	private static SpringApplication application(Class<?> configuration) {
		SpringApplication application = new SpringApplication(configuration);
		application.setWebApplicationType(WebApplicationType.NONE);
		return application;
	}

	private static String[] arguments(String... properties) {
		String[] arguments = new String[properties.length];
		for (int i = 0; i < properties.length; i++) {
			arguments[i] = "--" + properties[i];
		}
		return arguments;
	}

	private static String unreachable() throws IOException {
		try (ServerSocket socket = new ServerSocket(0)) {
			return "spring.datasource.url=jdbc:h2:tcp://127.0.0.1:%d/x".formatted(socket.getLocalPort());
		}
	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ DataSourceAutoConfiguration.class, LeafSegmentAutoConfiguration.class })
	static class Application {

	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration(LeafSegmentAutoConfiguration.class)
	static class NoDataSource {

	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration(LeafSegmentAutoConfiguration.class)
	static class TwoDataSources {

		@Bean
		DataSource first() {
			return DataSources.notHikari("jdbc:h2:mem:first");
		}

		@Bean
		DataSource second() {
			return DataSources.notHikari("jdbc:h2:mem:second");
		}

	}

}
