// SPDX-License-Identifier: Apache-2.0

package io.leaf.autoconfigure.properties;

import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

import io.leaf.autoconfigure.legacy.LegacyConfiguration;
import io.leaf.snowflake.SnowflakeLayout;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.boot.convert.DurationStyle;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests the generated metadata of the properties, which IDEs show.
 */
class ConfigurationMetadataTests {

	private static final Set<String> WITH_RANGE = Set.of("java.lang.Double", "java.lang.Integer", "java.lang.Long",
			"java.time.Duration");

	private static final Set<String> WITHOUT_DEFAULT = Set.of("leaf.keys", "leaf.server.token", "leaf.server.urls",
			"leaf.snowflake.worker.id", "leaf.snowflake.zookeeper.auth");

	private static final Map<String, JsonNode> properties = new TreeMap<>();

	private static final Map<String, JsonNode> deprecated = new TreeMap<>();

	private static final Set<String> elsewhere = new TreeSet<>();

	@BeforeAll
	static void read() throws IOException {
		JsonNode metadata = JsonMapper.shared()
			.readTree(Path.of("target/classes/META-INF/spring-configuration-metadata.json").toFile());
		for (JsonNode property : metadata.get("properties")) {
			String name = property.get("name").asString();
			if (name.startsWith("leaf.")) {
				(property.has("deprecation") ? deprecated : properties).put(name, property);
			}
			else {
				elsewhere.add(name);
			}
		}
	}

	@Test
	void everyPropertyIsListed() {
		Set<String> names = new TreeSet<>();
		names(LeafProperties.class, "leaf", names);
		names(LeafHealthProperties.class, "leaf.health", names);
		names(LeafMetricsProperties.class, "leaf.metrics", names);
		names(LeafSegmentProperties.class, "leaf.segment", names);
		names(LeafServersProperties.class, "leaf.server", names);
		names(LeafSnowflakeProperties.class, "leaf.snowflake", names);
		assertThat(properties.keySet()).containsExactlyElementsOf(names).hasSizeGreaterThan(15);
	}

	@Test
	void propertiesThatSpringBootReadsAreListed() {
		assertThat(elsewhere).contains("management.health.leaf.enabled", "management.endpoint.leaf.access");
	}

	@Test
	void formerNamesAreListedAsDeprecated() {
		Map<String, String> replacements = new TreeMap<>();
		LegacyConfiguration.formerNames()
			.forEach((name, formerNames) -> formerNames.forEach((formerName) -> replacements.put(formerName, name)));
		assertThat(deprecated.keySet()).containsExactlyElementsOf(replacements.keySet());
		assertThat(deprecated).allSatisfy((name, property) -> {
			JsonNode deprecation = property.get("deprecation");
			String replacement = deprecation.get("replacement").asString();
			assertThat(replacement).isEqualTo(replacements.get(name)).isIn(properties.keySet());
			assertThat(property.get("type")).as(name).isEqualTo(properties.get(replacement).get("type"));
			assertThat(property.get("description").asString()).as(name).endsWith("Meituan's Leaf.");
			assertThat(deprecation.get("level").asString("warning")).as(name).isEqualTo("warning");
			assertThat(deprecation.get("since").asString()).as(name).isEqualTo("0.1.0");
		});
	}

	@Test
	void everyPropertyHasADescription() {
		assertThat(properties).allSatisfy((name, property) -> {
			assertThat(property.path("description").asString("")).as(name)
				.matches("[A-Z].*\\.")
				.doesNotContain("{@", "<")
				.doesNotStartWith("The ");
			if (property.get("type").asString().equals("java.lang.Boolean")) {
				assertThat(property.get("description").asString()).as(name).startsWith("Whether ");
			}
		});
	}

	@Test
	void numbersAndDurationsStateTheirRange() {
		assertThat(properties.values().stream().filter(ConfigurationMetadataTests::needsRange)).hasSizeGreaterThan(5)
			.allSatisfy(
					(property) -> assertThat(property.get("description").asString()).as(property.get("name").asString())
						.containsPattern("from \\d+.* to \\d+"));
	}

	@Test
	void statedRangeIsTheOneThatIsChecked() {
		assertThat(properties.values().stream().filter(ConfigurationMetadataTests::needsRange))
			.allSatisfy((property) -> {
				String name = property.get("name").asString();
				boolean duration = property.get("type").asString().equals("java.time.Duration");
				String description = property.get("description").asString();
				String[] range = description
					.replaceAll("(?s).*from (\\d+[^.]*?) to (\\d+( \\w+)?)[., ].*|.*from (\\d+[^.]*?) to (\\d+)\\.$",
							"$1$4|$2$5")
					.split("\\|");
				assertThat(range).as(name).hasSize(2);
				for (String end : range) {
					String value = duration ? simple(end) : end;
					assertThat(isAccepted(name, value)).as(name + "=" + value).isTrue();
				}
			});
	}

	private static boolean isAccepted(String name, String value) {
		if (name.startsWith("leaf.health.") || name.startsWith("leaf.metrics.")) {
			Binder binder = new Binder(new MapConfigurationPropertySource(Map.of(name, value)));
			binder.bindOrCreate("leaf.health", LeafHealthProperties.class).thresholds(Duration.ZERO);
			binder.bindOrCreate("leaf.metrics", LeafMetricsProperties.class).validMaxKeys();
			return true;
		}
		if (name.startsWith("leaf.segment.")) {
			LeafSegmentPropertiesTests.bind(Map.of(name.substring("leaf.segment.".length()), value)).settings(Map.of());
			return true;
		}
		// settings without which the ends of a range would not be valid
		Map<String, String> all = new LinkedHashMap<>();
		if (name.startsWith("leaf.snowflake.layout.")) {
			all.put("leaf.snowflake.layout.timestamp-bits", "32");
			all.put("leaf.snowflake.layout.worker-bits", "0");
			all.put("leaf.snowflake.layout.sequence-bits", "0");
			all.put("leaf.snowflake.layout.unit", "seconds");
			all.put("leaf.snowflake.layout.epoch", Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
		}
		if (name.equals("leaf.snowflake.report-interval")) {
			all.put("leaf.snowflake.lease-window", "7d");
		}
		all.put(name, value);
		LeafSnowflakeProperties snowflake = LeafSnowflakePropertiesTests.bind(all);
		snowflake.settings(Instant.now());
		snowflake.leaseSettings("orders", "10.0.0.1:8080");
		if (snowflake.worker().id() != null) {
			snowflake.workerId(SnowflakeLayout.LEAF);
		}
		snowflake.zookeeper().checkTimeouts();
		return true;
	}

	private static String simple(String duration) {
		String text = duration.replaceAll(" millisecond.*", "ms").replaceAll(" ([smhd])\\w+", "$1");
		DurationStyle.SIMPLE.parse(text);
		return text;
	}

	@Test
	void statedDefaultIsTheDefault() {
		MapConfigurationPropertySource stated = new MapConfigurationPropertySource();
		Map<String, String> defaults = new LinkedHashMap<>();
		properties.forEach((name, property) -> {
			if (property.has("defaultValue")) {
				defaults.put(name, PropertiesPage.defaultOf(property));
				stated.put(name, PropertiesPage.defaultOf(property));
			}
		});
		assertThat(bind(stated)).isEqualTo(bind(new MapConfigurationPropertySource()));
		assertThat(properties.keySet()).filteredOn((name) -> !defaults.containsKey(name))
			.as("without a default")
			.containsExactly("leaf.default-mode", "leaf.keys", "leaf.name", "leaf.segment.datasource.password",
					"leaf.segment.datasource.url", "leaf.segment.datasource.username", "leaf.segment.enabled",
					"leaf.server.ssl-bundle", "leaf.server.token", "leaf.server.urls", "leaf.snowflake.host",
					"leaf.snowflake.layout.epoch", "leaf.snowflake.layout.sequence-bits",
					"leaf.snowflake.layout.timestamp-bits", "leaf.snowflake.layout.unit",
					"leaf.snowflake.layout.worker-bits", "leaf.snowflake.port", "leaf.snowflake.state-dir",
					"leaf.snowflake.worker.id", "leaf.snowflake.zookeeper.auth",
					"leaf.snowflake.zookeeper.connect-string")
			.filteredOn((name) -> !WITHOUT_DEFAULT.contains(name))
			.allSatisfy((name) -> assertThat(properties.get(name).get("description").asString()).as(name)
				.matches(".* Defaults to [^.].*\\."));
	}

	private static List<Object> bind(MapConfigurationPropertySource source) {
		Binder binder = new Binder(source);
		return List.of(binder.bindOrCreate("leaf.health", LeafHealthProperties.class),
				binder.bindOrCreate("leaf.metrics", LeafMetricsProperties.class),
				binder.bindOrCreate("leaf.segment", LeafSegmentProperties.class),
				binder.bindOrCreate("leaf.server", LeafServersProperties.class),
				binder.bindOrCreate("leaf.snowflake", LeafSnowflakeProperties.class));
	}

	private static boolean needsRange(JsonNode property) {
		return WITH_RANGE.contains(property.get("type").asString());
	}

	private static void names(Class<?> type, String prefix, Set<String> names) {
		for (RecordComponent component : type.getRecordComponents()) {
			String name = prefix + "." + component.getName().replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
			if (component.getType().isRecord()) {
				names(component.getType(), name, names);
			}
			else {
				names.add(name);
			}
		}
	}

}
