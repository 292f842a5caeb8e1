// SPDX-License-Identifier: Apache-2.0

package io.leaf.autoconfigure.legacy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;

import io.leaf.autoconfigure.properties.LeafStartupException;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.Environment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link LeafPropertiesFile}, in applications.
 */
@ExtendWith(OutputCaptureExtension.class)
class LeafPropertiesFileTests {

	@TempDir
	private Path directory;

	@AutoClose
	private LegacyConfiguration application;

	@BeforeEach
	void create() throws IOException {
		this.application = new LegacyConfiguration(this.directory);
	}

	private ConfigurableEnvironment environment(String... arguments) {
		try (ConfigurableApplicationContext context = this.application.builder(LegacyConfiguration.Empty.class)
			.properties(Map.of("leaf.default-mode", "segment"))
			.run(arguments)) {
			return context.getEnvironment();
		}
	}

	@Test
	void theFileOfMeituansLeafIsRead(CapturedOutput output) throws IOException {
		this.application.withFile("leaf.properties",
				String.join("\n", "leaf.name=com.sankuai.leaf.opensource.test", "leaf.segment.enable=true ",
						"#leaf.jdbc.url=jdbc:mysql://nowhere/leaf", "leaf.jdbc.url=jdbc:mysql://127.0.0.1:3306/leaf\t",
						"leaf.jdbc.username =  root", "leaf.jdbc.password=secret ", "", "leaf.snowflake.enable=false",
						"leaf.snowflake.zk.address=", "leaf.snowflake.port=  ", "server.port=8080"));
		Environment environment = environment();
		assertThat(environment.getProperty("leaf.name")).isEqualTo("com.sankuai.leaf.opensource.test");
		assertThat(environment.getProperty("leaf.segment.enabled")).isEqualTo("true");
		assertThat(environment.getProperty("leaf.segment.datasource.url"))
			.isEqualTo("jdbc:mysql://127.0.0.1:3306/leaf");
		assertThat(environment.getProperty("leaf.segment.datasource.username")).isEqualTo("root");
		assertThat(environment.getProperty("leaf.segment.datasource.password")).isEqualTo("secret ");
		assertThat(environment.getProperty("leaf.snowflake.enabled")).isEqualTo("false");
		assertThat(environment.containsProperty("leaf.snowflake.zookeeper.connect-string")).isFalse();
		assertThat(environment.containsProperty("leaf.snowflake.port")).isFalse();
		assertThat(environment.containsProperty("server.port")).isFalse();
		assertThat(output).containsOnlyOnce("were read from file:")
			.contains(
					"leaf.properties: leaf.name, leaf.segment.enable, leaf.jdbc.url, leaf.jdbc.username, leaf.jdbc.password, leaf.snowflake.enable. ")
			.contains("application.yaml")
			.doesNotContain("secret");
	}

	@Test
	void aTrailingSpaceInTheNameIsKeptAsInMeituansLeaf() throws IOException {
		this.application.withFile("leaf.properties", "leaf.name=orders ");
		assertThat(environment().getProperty("leaf.name")).isEqualTo("orders ");
	}

	@Test
	void aFileWithoutANameLogsTheNameThatMeituansLeafUses(CapturedOutput output) throws IOException {
		this.application.withFile("leaf.properties", "leaf.snowflake.zk.address=zk1:2181");
		environment();
		assertThat(output).containsOnlyOnce("set leaf.name=null");
		assertThat(environment("--leaf.name=orders").getProperty("leaf.name")).isEqualTo("orders");
		assertThat(output).containsOnlyOnce("set leaf.name=null");
	}

	@Test
	void anyOtherConfigurationWins() throws IOException {
		this.application
			.withFile("leaf.properties",
					"leaf.name=file\nleaf.snowflake.port=1\nleaf.default-mode=snowflake\nleaf.jdbc.url=jdbc:h2:mem:a")
			.withFile("application.yaml", "leaf:\n  name: yaml\n  segment.url: jdbc:h2:mem:b")
			.withVariable("LEAF_SNOWFLAKE_PORT", "2");
		Environment environment = environment();
		assertThat(environment.getProperty("leaf.name")).isEqualTo("yaml");
		assertThat(environment.getProperty("leaf.snowflake.port")).isEqualTo("2");
		assertThat(environment.getProperty("leaf.default-mode")).as("default property").isEqualTo("segment");
		assertThat(environment.getProperty("leaf.segment.datasource.url")).isEqualTo("jdbc:h2:mem:b");
	}

	@Test
	void aFileWithoutLeafsPropertiesIsIgnored(CapturedOutput output) throws IOException {
		this.application.withFile("leaf.properties", "\n#leaf.jdbc.url=\nleaf.jdbc.username=\nleaf=1\nleafs.name=a\n");
		assertThat(environment().getPropertySources().contains(LeafPropertiesFile.SOURCE)).isFalse();
		assertThat(output).doesNotContain("leaf.properties");
	}

	@Test
	void anEmptyFileIsIgnored(CapturedOutput output) throws IOException {
		this.application.withFile("leaf.properties", "");
		assertThat(environment().getPropertySources().contains(LeafPropertiesFile.SOURCE)).isFalse();
		assertThat(output).doesNotContain("leaf.properties");
	}

	@Test
	void noPropertySourceWithoutAFile() {
		assertThat(environment().getPropertySources().contains(LeafPropertiesFile.SOURCE)).isFalse();
	}

	@Test
	void theLaterLineWins() throws IOException {
		this.application.withFile("leaf.properties", "leaf.name=a\n#---\nleaf.name=b\n");
		assertThat(environment().getProperty("leaf.name")).isEqualTo("b");
	}

	@Test
	void aFileThatCannotBeReadIsExplained(CapturedOutput output) throws IOException {
		this.application.withFile("leaf.properties", "leaf.name=\\u12");
		assertThatExceptionOfType(LeafStartupException.class).isThrownBy(this::environment)
			.withMessageContaining("leaf.properties");
		assertThat(output).contains("APPLICATION FAILED TO START").contains("Correct the file, or move its properties");
	}

}
