// SPDX-License-Identifier: Apache-2.0

package io.leaf.autoconfigure.legacy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;

import io.leaf.IdGenerator;
import io.leaf.autoconfigure.MemoryDatabase;
import io.leaf.autoconfigure.TestApplications.BothModes;
import io.leaf.autoconfigure.TestApplications.WithoutDataSource;
import io.leaf.segment.SegmentIdGenerator;
import io.leaf.snowflake.SnowflakeIdGenerator;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.Environment;
import org.springframework.core.env.MapPropertySource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * Tests for {@link LegacyPropertyNames}, in applications.
 */
@ExtendWith(OutputCaptureExtension.class)
class LegacyPropertyNamesTests {

	@TempDir
	private Path directory;

	@AutoClose
	private LegacyConfiguration application;

	@BeforeEach
	void create() throws IOException {
		this.application = new LegacyConfiguration(this.directory);
	}

	private Environment environment(String... arguments) {
		try (ConfigurableApplicationContext context = run(LegacyConfiguration.Empty.class, arguments)) {
			return context.getEnvironment();
		}
	}

	private ConfigurableApplicationContext run(Class<?> configuration, String... arguments) {
		return this.application.builder(configuration).run(arguments);
	}

	@ParameterizedTest
	@CsvSource({ "leaf.segment.enable, leaf.segment.enabled", "leaf.jdbc.url, leaf.segment.datasource.url",
			"leaf.jdbc.username, leaf.segment.datasource.username",
			"leaf.jdbc.password, leaf.segment.datasource.password", "leaf.segment.url, leaf.segment.datasource.url",
			"leaf.segment.username, leaf.segment.datasource.username",
			"leaf.segment.password, leaf.segment.datasource.password", "leaf.snowflake.enable, leaf.snowflake.enabled",
			"leaf.snowflake.zk.address, leaf.snowflake.zookeeper.connect-string",
			"leaf.snowflake.address, leaf.snowflake.zookeeper.connect-string" })
	void eachIsUnderstoodWithAWarning(String formerName, String name, CapturedOutput output) {
		assertThat(environment("--" + formerName + "=a value").getProperty(name)).isEqualTo("a value");
		assertThat(output).containsOnlyOnce("The property " + formerName + " (")
			.contains("has a new name: " + name)
			.doesNotContain("a value");
	}

	@ParameterizedTest
	@CsvSource({ "leaf.jdbc.url", "leaf.jdbc.URL", "LEAF_JDBC_URL", "leaf_jdbc_url" })
	void environmentVariableIsUnderstood(String name, CapturedOutput output) {
		this.application.withVariable(name, "jdbc:h2:mem:a");
		assertThat(environment().getProperty("leaf.segment.datasource.url")).isEqualTo("jdbc:h2:mem:a");
		assertThat(output).containsOnlyOnce("has a new name").contains("leaf.jdbc.url (System Environment Property");
	}

	@Test
	void applicationYamlIsUnderstood(CapturedOutput output) throws IOException {
		this.application.withFile("application.yaml", """
				database: a
				leaf:
				  jdbc:
				    URL: jdbc:h2:mem:${database}
				  snowflake:
				    ZkAddress: not a valid spelling
				    enable: 'off'
				""");
		Environment environment = environment();
		assertThat(environment.getProperty("leaf.segment.datasource.url")).isEqualTo("jdbc:h2:mem:a");
		assertThat(environment.getProperty("leaf.snowflake.enabled", Boolean.class)).isFalse();
		assertThat(environment.containsProperty("leaf.snowflake.zookeeper.connect-string")).isFalse();
		assertThat(output).contains("class path resource [application.yaml]");
	}

	@Test
	void systemPropertyIsUnderstood() {
		System.setProperty("leaf.snowflake.zk.address", "zk1:2181");
		try {
			assertThat(environment().getProperty("leaf.snowflake.zookeeper.connect-string")).isEqualTo("zk1:2181");
		}
		finally {
			System.clearProperty("leaf.snowflake.zk.address");
		}
	}

	@Test
	void propertiesOfAnotherInitializerAreUnderstood() {
		ApplicationContextInitializer<ConfigurableApplicationContext> remote = (context) -> context.getEnvironment()
			.getPropertySources()
			.addFirst(new MapPropertySource("remote", Map.of("leaf.segment.enable", "false")));
		try (ConfigurableApplicationContext context = this.application.builder(LegacyConfiguration.Empty.class)
			.initializers(remote)
			.run()) {
			assertThat(context.getEnvironment().getProperty("leaf.segment.enabled")).isEqualTo("false");
		}
	}

	@Test
	void theNewNameWinsWhereverItIsSet(CapturedOutput output) throws IOException {
		this.application.withFile("application.yaml", "leaf.segment.enabled: true");
		assertThat(environment("--leaf.segment.enable=false").getProperty("leaf.segment.enabled")).isEqualTo("true");
		assertThat(output).containsOnlyOnce("leaf.segment.enable (")
			.contains("is ignored")
			.contains("leaf.segment.enabled");
	}

	@Test
	void ofTwoFormerNamesTheOneWithHigherPrecedenceWins(CapturedOutput output) throws IOException {
		this.application.withFile("application.yaml", "leaf.jdbc.url: jdbc:h2:mem:a");
		assertThat(environment("--leaf.segment.url=jdbc:h2:mem:b").getProperty("leaf.segment.datasource.url"))
			.isEqualTo("jdbc:h2:mem:b");
		assertThat(output).containsOnlyOnce("has a new name")
			.contains("is ignored, because leaf.segment.url is also set");
	}

	@Test
	void ofTwoFormerNamesInOneFileTheOneOfLeafItselfWins() throws IOException {
		this.application.withFile("application.yaml", """
				leaf.segment.url: jdbc:h2:mem:b
				leaf.jdbc.url: jdbc:h2:mem:a
				""");
		assertThat(environment().getProperty("leaf.segment.datasource.url")).isEqualTo("jdbc:h2:mem:a");
	}

	@ParameterizedTest
	@CsvSource({ "''", "' '", "${nowhere:}" })
	void anEmptyValueIsIgnored(String value, CapturedOutput output) {
		Environment environment = environment("--leaf.jdbc.url=" + value);
		assertThat(environment.containsProperty("leaf.segment.datasource.url")).isFalse();
		assertThat(output).doesNotContain("leaf.jdbc.url");
	}

	@Test
	void anEmptyValueDoesNotHideAnother() throws IOException {
		this.application.withFile("application.yaml", "leaf.jdbc.url: jdbc:h2:mem:a");
		assertThat(environment("--leaf.jdbc.url=").getProperty("leaf.segment.datasource.url"))
			.isEqualTo("jdbc:h2:mem:a");
	}

	@Test
	void nothingIsLoggedWithoutFormerNames(CapturedOutput output) {
		environment("--leaf.segment.enabled=false", "--leaf.snowflake.port=8080");
		assertThat(output).doesNotContain("new name").doesNotContain("Meituan");
	}

	@Test
	void warningsOfAParentContextAreNotRepeated(CapturedOutput output) throws IOException {
		this.application.withFile("leaf.properties", "leaf.jdbc.url=jdbc:h2:mem:a");
		try (ConfigurableApplicationContext parent = run(LegacyConfiguration.Empty.class);
				ConfigurableApplicationContext child = this.application.builder(LegacyConfiguration.Empty.class)
					.parent(parent)
					.run("--leaf.segment.enable=false")) {
			Environment environment = child.getEnvironment();
			assertThat(environment.getProperty("leaf.segment.datasource.url")).isEqualTo("jdbc:h2:mem:a");
			assertThat(environment.getProperty("leaf.segment.enabled")).isEqualTo("false");
		}
		assertThat(output).containsOnlyOnce("leaf.jdbc.url (")
			.containsOnlyOnce("leaf.segment.enable (")
			.containsOnlyOnce("were read from");
	}

	@Test
	void aFormerNameDisablesSegmentMode() {
		try (MemoryDatabase database = new MemoryDatabase().withRow("order", 1, 1000)) {
			String url = "--" + database.property();
			try (ConfigurableApplicationContext context = run(BothModes.class, url)) {
				assertThat(context.getBeanProvider(SegmentIdGenerator.class).getIfAvailable()).isNotNull();
			}
			try (ConfigurableApplicationContext context = run(BothModes.class, url, "--leaf.segment.enable=false")) {
				assertThat(context.getBeanProvider(IdGenerator.class).getIfAvailable()).isNull();
			}
		}
	}

	@Test
	void aFormerNameSetsTheDatabaseOfTheSegments() {
		try (MemoryDatabase database = new MemoryDatabase().withRow("order", 7, 1000);
				ConfigurableApplicationContext context = run(WithoutDataSource.class,
						"--leaf.jdbc.url=" + database.url(), "--leaf.jdbc.username=" + MemoryDatabase.USERNAME)) {
			assertThat(context.getBean(IdGenerator.class).nextId("order")).isEqualTo(7);
		}
	}

	@Test
	void aFormerNameEnablesSnowflakeMode() {
		try (ConfigurableApplicationContext context = run(WithoutDataSource.class, "--leaf.snowflake.enable=true",
				"--leaf.snowflake.worker.source=file", "--leaf.snowflake.worker.id=0",
				"--leaf.snowflake.state-dir=" + this.directory)) {
			assertThat(context.getBean(SnowflakeIdGenerator.class).nextId("order")).isPositive();
		}
	}

	@Test
	void anInvalidValueIsExplainedWithItsOrigin(CapturedOutput output) throws IOException {
		this.application.withFile("leaf.properties", "leaf.name=orders\nleaf.snowflake.enable=perhaps");
		assertThat(catchThrowable(() -> run(WithoutDataSource.class))).isNotNull();
		assertThat(output).contains("leaf.snowflake.enable (class path resource [leaf.properties] - 2:23)")
			.contains(
					"Invalid value 'perhaps' for configuration property 'leaf.snowflake.enabled' (originating from 'class path resource [leaf.properties] - 2:23')");
	}

}
