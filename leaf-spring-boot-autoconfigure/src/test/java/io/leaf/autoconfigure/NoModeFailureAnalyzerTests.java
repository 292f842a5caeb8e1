// SPDX-License-Identifier: Apache-2.0

package io.leaf.autoconfigure;

import java.util.Arrays;

import io.leaf.IdGenerator;
import io.leaf.IdSequence;
import io.leaf.RecordingIdGenerator;
import io.leaf.autoconfigure.segment.LeafSegmentAutoConfiguration;
import io.leaf.autoconfigure.snowflake.LeafSnowflakeAutoConfiguration;
import io.leaf.segment.SegmentIdGenerator;
import io.leaf.snowflake.SnowflakeIdGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.io.DefaultResourceLoader;
import org.springframework.core.io.ResourceLoader;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

/**
 * Tests for {@link NoModeFailureAnalyzer}. They run on each supported version of Spring
 * Boot.
 */
@ExtendWith(OutputCaptureExtension.class)
class NoModeFailureAnalyzerTests {

	@Test
	void noDataSourceAndSnowflakeModeNotEnabled(CapturedOutput output) {
		assertThat(failure(output, NeedsAny.class))
			.contains("Parameter 0 of method name in " + NeedsAny.class.getName()
					+ " required a bean of type 'io.leaf.IdGenerator', which Leaf does not provide:")
			.contains("- Leaf segment mode: did not find a DataSource bean")
			.contains("- Leaf snowflake mode: leaf.snowflake.enabled is not set")
			.contains("spring.datasource.url", "leaf.segment.datasource.url", "leaf.snowflake.enabled=true")
			.doesNotContain("Consider defining a bean");
	}

	@Test
	void bothModesAreDisabled(CapturedOutput output) {
		assertThat(failure(output, NeedsAny.class, "leaf.segment.enabled=false", "leaf.snowflake.enabled=off"))
			.contains(
					"leaf.segment.enabled is false (originating from '\"leaf.segment.enabled\" from property source \"commandLineArgs\"')")
			.contains(
					"leaf.snowflake.enabled is false (originating from '\"leaf.snowflake.enabled\" from property source \"commandLineArgs\"')");
	}

	@Test
	void jdbcSupportIsMissing(CapturedOutput output) {
		ResourceLoader filtered = new DefaultResourceLoader(new FilteredClassLoader(JdbcTemplate.class));
		assertThat(failure(output, filtered, NeedsAny.class))
			.contains("- Leaf segment mode: " + JdbcTemplate.class.getName() + " is not on the classpath")
			.contains("spring-boot-starter-jdbc");
	}

	@Test
	void oneModeIsRequired(CapturedOutput output) {
		assertThat(failure(output, NeedsSegments.class)).contains("'" + SegmentIdGenerator.class.getName() + "'")
			.contains("- Leaf segment mode:")
			.doesNotContain("Leaf snowflake mode");
	}

	@Test
	void otherModeIsRequired(CapturedOutput output) {
		assertThat(failure(output, NeedsSnowflakes.class, "leaf.segment.enabled=false"))
			.contains("'" + SnowflakeIdGenerator.class.getName() + "'")
			.contains("- Leaf snowflake mode:")
			.doesNotContain("Leaf segment mode");
	}

	@Test
	void sequencesAreNotBeans(CapturedOutput output) {
		assertThat(failure(output, NeedsASequence.class)).contains("sequences are not beans",
				"Inject io.leaf.IdGenerator, and call sequence(key)");
	}

	@Test
	void autoConfigurationIsMissing(CapturedOutput output) {
		assertThat(failure(output, NotAutoConfigured.class, "leaf.segment.datasource.url=jdbc:h2:mem:x")).contains(
				"- Leaf segment mode: the application does not use " + LeafSegmentAutoConfiguration.class.getName());
	}

	@Test
	void applicationHasItsOwnGenerator(CapturedOutput output) {
		assertThat(failure(output, OwnGenerator.class, "leaf.snowflake.enabled=true"))
			.contains("- Leaf snowflake mode: the application has its own IdGenerator bean, own");
	}

	@Test
	void otherMissingBeansAreLeftToSpringBoot(CapturedOutput output) {
		assertThat(failure(output, NeedsANumber.class)).contains("Consider defining a bean of type 'java.lang.Number'");
	}

	private static String failure(CapturedOutput output, Class<?> configuration, String... properties) {
		return failure(output, new DefaultResourceLoader(), configuration, properties);
	}

	private static String failure(CapturedOutput output, ResourceLoader loader, Class<?> configuration,
			String... properties) {
		SpringApplication application = new SpringApplication(loader, configuration);
		application.setWebApplicationType(WebApplicationType.NONE);
		String[] arguments = Arrays.stream(properties).map("--"::concat).toArray(String[]::new);
		assertThatException().isThrownBy(() -> application.run(arguments).close());
		String banner = "APPLICATION FAILED TO START";
		assertThat(output).contains(banner);
		return output.getAll().substring(output.getAll().indexOf(banner));
	}

	@ImportAutoConfiguration({ LeafSegmentAutoConfiguration.class, LeafSnowflakeAutoConfiguration.class,
			LeafIdGeneratorAutoConfiguration.class })
	private static class AutoConfigured {

	}

	@Configuration(proxyBeanMethods = false)
	static class NeedsAny extends AutoConfigured {

		@Bean
		String name(IdGenerator generator) {
			return "x";
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class NeedsSegments extends AutoConfigured {

		NeedsSegments(SegmentIdGenerator generator) {
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class NeedsSnowflakes extends AutoConfigured {

		@Bean
		String name(SnowflakeIdGenerator generator) {
			return "x";
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class NeedsASequence extends AutoConfigured {

		NeedsASequence(IdSequence sequence) {
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class NeedsANumber extends AutoConfigured {

		NeedsANumber(Number number) {
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class OwnGenerator extends NeedsSnowflakes {

		@Bean
		RecordingIdGenerator own() {
			return new RecordingIdGenerator();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class NotAutoConfigured {

		@Bean
		String name(IdGenerator generator) {
			return "x";
		}

	}

}
