// SPDX-License-Identifier: Apache-2.0

package io.leaf.autoconfigure.properties;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.context.annotation.Bean;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that the documentation of the properties agrees with their metadata.
 * <p>
 * {@code -Dleaf.write-properties-page} rewrites {@code docs/properties.md}.
 */
class PropertiesPageTests {

	private static final Path PAGE = Path.of("../docs/properties.md");

	private static final String COMMAND = "mvn -pl leaf-spring-boot-autoconfigure test -Dtest=PropertiesPageTests -Dleaf.write-properties-page=true";

	private static final Pattern ROW = Pattern
		.compile("(?m)^\\| `(leaf\\.[a-z.-]*[a-z])[^`]*` \\| ([^|]*) \\|(?!.*\n\\|---)");

	private static JsonNode metadata;

	@BeforeAll
	static void read() {
		metadata = JsonMapper.shared()
			.readTree(Path.of("target/classes/META-INF/spring-configuration-metadata.json").toFile());
	}

	@Test
	void pageAgreesWithTheMetadata() throws IOException {
		String page = PropertiesPage.of(metadata);
		if (Boolean.getBoolean("leaf.write-properties-page")) {
			Files.writeString(PAGE, page);
		}
		assertThat(PAGE).as("docs/properties.md. Regenerate it with: %s", COMMAND).exists();
		assertThat(Files.readString(PAGE))
			.as("docs/properties.md differs from the metadata of the properties. Regenerate it with: %s", COMMAND)
			.isEqualTo(page);
	}

	@Test
	void pageNamesEachAutoConfigurationAndBean() {
		String page = PropertiesPage.of(metadata);
		JavaClasses classes = new ClassFileImporter().withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
			.importPackages("io.leaf.autoconfigure");
		assertThat(classes).filteredOn((type) -> type.isAnnotatedWith(AutoConfiguration.class))
			.isNotEmpty()
			.allSatisfy((type) -> assertThat(page)
				.contains("`" + type.getName().substring("io.leaf.autoconfigure.".length()) + "`"));
		assertThat(classes).flatMap(JavaClass::getMethods)
			.filteredOn((method) -> method.isAnnotatedWith(Bean.class))
			.isNotEmpty()
			.allSatisfy((method) -> assertThat(page).contains("`" + method.getName() + "`"));
	}

	@Test
	void pageHasEveryPropertyWithItsDefault() {
		String page = PropertiesPage.of(metadata);
		assertThat(metadata.get("properties").valueStream()).hasSizeGreaterThan(50).allSatisfy((property) -> {
			String name = property.get("name").asString();
			assertThat(page)
				.containsOnlyOnce("\n| `%s".formatted(name + (name.equals("leaf.keys") ? ".<key>.mode`" : "`")));
		});
		assertThat(page).contains("| `leaf.segment.acquire-timeout` | duration | `2s` | Maximum time ")
			.contains("| `leaf.segment.ordering` | `strict`, `striped`, `global` | `strict` | ")
			.contains("| `leaf.snowflake.layout.preset` | `leaf`, `baidu`, `js-safe` | `leaf` | ")
			.contains("| `leaf.keys.<key>.mode` | `segment`, `snowflake` | `leaf.default-mode` | How ")
			.contains("| `leaf.keys.<key>.start-from` | integer | 1 | Smallest number ")
			.contains("| `leaf.name` | text | `spring.application.name`, or else ")
			.contains("| `leaf.snowflake.zk.address` | `leaf.snowflake.zookeeper.connect-string` | ");
	}

	@ParameterizedTest
	@ValueSource(strings = { "README.md", "README.zh-CN.md" })
	void readmeHasNoOtherPropertiesAndDefaults(String readme) throws IOException {
		Map<String, String> defaults = new TreeMap<>();
		for (JsonNode property : metadata.get("properties")) {
			defaults.put(property.get("name").asString(), property.path("defaultValue").asString(""));
		}
		Matcher rows = ROW.matcher(Files.readString(Path.of("..", readme)));
		int count = 0;
		while (rows.find()) {
			count++;
			String defaultValue = defaults.get(rows.group(1));
			assertThat(defaultValue).as("%s in %s", rows.group(1), readme).isNotNull();
			if (!defaultValue.isEmpty()) {
				assertThat(rows.group(2)).as("default of %s in %s", rows.group(1), readme)
					.isEqualTo("`" + defaultValue + "`");
			}
		}
		assertThat(count).as("properties listed in %s", readme).isBetween(5, 10);
	}

}
