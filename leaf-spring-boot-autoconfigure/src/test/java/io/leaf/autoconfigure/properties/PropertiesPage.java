// SPDX-License-Identifier: Apache-2.0

package io.leaf.autoconfigure.properties;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

import org.springframework.util.ClassUtils;

/**
 * Generates the page that lists every property with the description from its metadata.
 */
final class PropertiesPage {

	private static final String HEAD = """
			# Properties

			[简体中文](zh-CN/properties.md)

			<!-- Written by PropertiesPageTests from the metadata of the properties. Change a description where the property is declared. -->

			A property is required only if its description says so, with two exceptions: without a `DataSource` bean, segments and worker IDs from a database require `leaf.segment.datasource.url`; without a `LeafZooKeeperConnectionDetails` bean and without exactly one `CuratorFramework` bean, worker IDs from ZooKeeper require `leaf.snowflake.zookeeper.connect-string`. If the value of a property in use is out of range, startup fails, and the message names the property and the range.
			A duration is a number with a unit: `500ms`, `3s`, `15m`, `1h`, `7d`.
			""";

	private static final String TAIL = """

			## Auto-configurations and beans

			To exclude an auto-configuration, use `spring.autoconfigure.exclude`. To replace a bean, define a bean of the same type. To replace `leafHealthContributor`, however, define a bean of the same name. Beans marked with * cannot be replaced. If the application defines a `SegmentIdGenerator` bean, Leaf does not configure segment mode. If the application defines an `IdGenerator` bean of another type, including `SnowflakeIdGenerator`, Leaf configures neither mode.

			| auto-configuration, in `io.leaf.autoconfigure` | beans |
			|---|---|
			| `LeafIdGeneratorAutoConfiguration` | `leafIdGenerator` |
			| `segment.LeafSegmentAutoConfiguration` | `leafSegmentIdGenerator`, `leafSegmentStore`, `leafIdFormats`; with Leaf servers also `leafServers`\\*; with a database also `leafConnectionSource`\\*, `leafSchemaInitializer` |
			| `snowflake.LeafSnowflakeAutoConfiguration` | `leafSnowflakeIdGenerator`, `leafWorkerLeaseStore`, `leafIdFormats`, `leafLeaseKeeper`\\*, `leafSnowflakeLanes`\\*, `leafProcessLabel`\\*; without a fixed worker ID also `leafSavedLeaseStore`; with worker IDs from Leaf servers also `leafServers`\\*; with worker IDs from a table also `leafConnectionSource`\\*, `leafSchemaInitializer` |
			| `text.LeafTextAutoConfiguration` | `leafIdFormats`, `leafTextModule`, `leafTextJackson2Module`, `leafTextConverter`\\*, `leafTextWebMvcBinding`\\*, `leafTextWebFluxBinding`\\* |
			| `persistence.LeafDataJdbcAutoConfiguration` | `leafIdCallback` |
			| `persistence.LeafDataR2dbcAutoConfiguration` | `leafReactiveIdCallback` |
			| `persistence.LeafMybatisAutoConfiguration` | `leafIdInterceptor` |
			| `persistence.LeafMybatisPlusAutoConfiguration` | `leafIdentifierGeneratorInstaller`\\* |
			| `actuate.LeafEndpointAutoConfiguration` | `leafEndpoint` |
			| `actuate.LeafHealthAutoConfiguration` | `leafHealth`, `leafHealthContributor` |
			| `actuate.LeafMetricsAutoConfiguration` | `leafSegmentMetrics`, `leafSnowflakeMetrics`, `leafMeteredKeys` |
			| `actuate.LeafObservationAutoConfiguration` | `leafStoreObservations`, `leafMeteredKeys` |
			""";

	private static final String FORMER_NAMES = "Former names";

	/**
	 * The sections in the order of the page, by the prefix of the names.
	 */
	private static final Map<String, String> SECTIONS = sections();

	private static final Map<String, String> TYPES = Map.ofEntries(Map.entry("java.lang.Boolean", "`true`, `false`"),
			Map.entry("java.lang.Double", "number"), Map.entry("java.lang.Integer", "integer"),
			Map.entry("java.lang.Long", "integer"), Map.entry("java.lang.String", "text"),
			Map.entry("java.util.List", "list of texts"),
			Map.entry("java.util.List<java.lang.String>", "list of texts"), Map.entry("java.time.Duration", "duration"),
			Map.entry("java.time.Instant", "time, in ISO 8601"), Map.entry("java.time.ZoneId", "time zone"));

	private static final Pattern MAP = Pattern.compile("java\\.util\\.Map<java\\.lang\\.String,(.*)>");

	private static final Pattern DEFAULT = Pattern.compile("(.*) Defaults to (.*)\\.");

	/**
	 * The parts of a description that are shown as code: names, keys with brackets and
	 * values in quotes.
	 */
	private static final Pattern CODE = Pattern
		.compile("'([^' ]+)'(?!\\w)|(?<![\\w./:-])((?:leaf|spring|server)\\.[a-z][\\w.\\[\\]-]*[\\w\\]]|leaf_\\w+)");

	private PropertiesPage() {
	}

	private static Map<String, String> sections() {
		Map<String, String> sections = new LinkedHashMap<>();
		sections.put("leaf", "Properties of both modes.");
		sections.put("leaf.segment",
				"Properties of segment mode, in which Leaf allocates numbers from counters in a table, usually in blocks called segments. In the descriptions, \"the table\" is the one that `leaf.segment.table` names. If segments come from Leaf servers, set `leaf.segment.table`, `leaf.segment.datasource.*`, `leaf.segment.initialize-schema` and `leaf.segment.failover-gap` on the servers. See [IDs from Leaf servers](server.md).");
		sections.put("leaf.server",
				"Properties of the connection to Leaf servers, which is used if `leaf.segment.source` or `leaf.snowflake.worker.source` is `server`. See [IDs from Leaf servers](server.md).");
		sections.put("leaf.snowflake",
				"Properties of snowflake mode, in which an ID consists of a timestamp, a worker ID and a sequence.");
		sections.put("leaf.health",
				"Thresholds of the warnings in `/actuator/health`. See [observability](observability.md).");
		sections.put("leaf.metrics", "Properties of the meters. See [observability](observability.md).");
		sections.put("management", "Spring Boot's properties for the endpoint and the health check of Leaf.");
		sections.put(FORMER_NAMES,
				"Property names of Meituan's Leaf and of its starter branch. See [migration](migration.md). These names still work, but cause a warning in the log. In files loaded with `@PropertySource`, they have no effect.");
		return sections;
	}

	/**
	 * Returns the page in Markdown.
	 * @param metadata the metadata that the annotation processor has written
	 */
	static String of(JsonNode metadata) {
		Map<String, List<String>> rows = new LinkedHashMap<>();
		SECTIONS.keySet().forEach((section) -> rows.put(section, new ArrayList<>()));
		metadata.get("properties")
			.valueStream()
			.sorted((one, other) -> name(one).compareTo(name(other)))
			.forEach((property) -> rows.get(section(property)).addAll(rows(property)));
		StringBuilder page = new StringBuilder(HEAD);
		rows.forEach((section, lines) -> {
			boolean former = section.equals(FORMER_NAMES);
			page.append("\n## ").append(former ? section : "`" + section + "`").append("\n\n");
			page.append(SECTIONS.get(section)).append("\n\n");
			page.append(former ? "| former name | name | meaning |\n|---|---|---|\n"
					: "| property | type | default | meaning |\n|---|---|---|---|\n");
			lines.forEach((line) -> page.append(line).append('\n'));
		});
		return page.append(TAIL).toString();
	}

	private static String section(JsonNode property) {
		if (property.has("deprecation")) {
			return FORMER_NAMES;
		}
		return SECTIONS.keySet()
			.stream()
			.filter((section) -> name(property).startsWith(section + "."))
			.reduce((shorter, longer) -> longer)
			.orElseThrow(() -> new IllegalStateException(
					"No section of PropertiesPage is for %s: add one".formatted(name(property))));
	}

	private static List<String> rows(JsonNode property) {
		Matcher map = MAP.matcher(property.get("type").asString());
		return map.matches()
				? KeySettings.rows(name(property) + ".<key>.", ClassUtils.resolveClassName(map.group(1), null))
				: List.of(row(property));
	}

	private static String row(JsonNode property) {
		String description = property.get("description").asString();
		if (property.has("deprecation")) {
			return "| `%s` | `%s` | %s |".formatted(name(property),
					property.get("deprecation").get("replacement").asString(), markdown(description));
		}
		return row(name(property), property.get("type").asString(), description,
				property.has("defaultValue") ? defaultOf(property) : null);
	}

	private static String row(String name, String type, String description, @Nullable String defaultValue) {
		String shown = (defaultValue != null) ? "`" + defaultValue + "`" : "–";
		Matcher stated = DEFAULT.matcher(description);
		if (defaultValue == null && stated.matches()) {
			description = stated.group(1);
			shown = markdown(stated.group(2));
		}
		return "| `%s` | %s | %s | %s |".formatted(name, words(type), shown, markdown(description));
	}

	/**
	 * Returns the default of a property. Several texts are separated by commas.
	 */
	static String defaultOf(JsonNode property) {
		JsonNode value = property.get("defaultValue");
		return value.isArray() ? value.valueStream().map(JsonNode::asString).collect(Collectors.joining(","))
				: value.asString();
	}

	private static String words(String type) {
		String words = TYPES.get(type);
		if (words != null) {
			return words;
		}
		Object[] values = ClassUtils.resolveClassName(type, null).getEnumConstants();
		if (values == null) {
			throw new IllegalStateException("PropertiesPage has no words for the type %s: add them".formatted(type));
		}
		return Arrays.stream(values)
			.map((value) -> "`" + ((Enum<?>) value).name().toLowerCase(Locale.ROOT).replace('_', '-') + "`")
			.collect(Collectors.joining(", "));
	}

	private static String markdown(String text) {
		return CODE.matcher(text.replace("|", "\\|"))
			.replaceAll((found) -> Matcher
				.quoteReplacement("`" + ((found.group(1) != null) ? found.group(1) : found.group(2)) + "`"));
	}

	private static String name(JsonNode property) {
		return property.get("name").asString();
	}

	/**
	 * The settings of a key. The metadata do not describe the values of a map, so the
	 * descriptions are read from the source.
	 */
	private static final class KeySettings {

		private static final Path SOURCE = Path
			.of("src/main/java/io/leaf/autoconfigure/properties/LeafProperties.java");

		static List<String> rows(String prefix, Class<?> settings) {
			String source = read();
			int end = source.indexOf("public record " + settings.getSimpleName() + "(");
			String javadoc = source.substring(source.lastIndexOf("/**", end), end).replaceAll("\\s+\\*/?\\s+", " ");
			List<String> rows = new ArrayList<>();
			for (RecordComponent component : settings.getRecordComponents()) {
				Matcher description = Pattern.compile("@param %s (.*?)(?= @param|$)".formatted(component.getName()))
					.matcher(javadoc.strip());
				if (!description.find()) {
					throw new IllegalStateException(
							"%s has no description of '%s'".formatted(SOURCE, component.getName()));
				}
				String name = component.getName().replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
				rows.add(row(prefix + name, component.getType().getName(), description.group(1).strip(), null));
			}
			return rows;
		}

		private static String read() {
			try {
				return Files.readString(SOURCE);
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		}

	}

}
