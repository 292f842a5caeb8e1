// SPDX-License-Identifier: Apache-2.0

package io.leaf.documentation;

import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.lang.reflect.RecordComponent;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import io.leaf.MarkdownPage;
import io.leaf.MarkdownPage.Code;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.error.YAMLException;

import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.handler.NoUnboundElementsBindHandler;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.boot.env.PropertiesPropertySourceLoader;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.boot.json.JsonParserFactory;
import org.springframework.core.ResolvableType;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.PropertySource;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.util.ClassUtils;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests the YAML and properties blocks of the pages: each property must exist in the
 * metadata of Leaf or of Spring Boot, and its value must bind to the type stated there.
 */
class ConfigurationBlocksTests {

	private static final Path ROOT = Path.of("../..");

	private static final Pattern GENERIC = Pattern.compile("([^<]+)<(?:java\\.lang\\.String, ?)?(.+)>");

	/**
	 * Keys that identify YAML for Kubernetes, Docker Compose, Liquibase and
	 * ShardingSphere, which is only parsed.
	 */
	private static final Pattern OTHER_FILES = Pattern
		.compile("(?m)^(?:apiVersion|services|databaseChangeLog|dataSources):");

	private static final Map<ConfigurationPropertyName, Property> METADATA = new TreeMap<>();

	private static URLClassLoader classes;

	@BeforeAll
	static void readMetadata() throws IOException {
		classes = new URLClassLoader(
				new URL[] { ROOT.resolve("leaf-server/target/classes").toAbsolutePath().toUri().toURL() },
				ConfigurationBlocksTests.class.getClassLoader());
		// the server is not a library and has no metadata
		Class<?> server = ClassUtils.resolveClassName("io.leaf.server.LeafServerProperties", classes);
		for (RecordComponent property : server.getRecordComponents()) {
			METADATA.put(ConfigurationPropertyName.adapt("leaf.server." + dashed(property.getName()), '.'),
					new Property(property.getGenericType().getTypeName(), false));
		}
		for (URL metadata : Collections.list(classes.getResources("META-INF/spring-configuration-metadata.json"))) {
			try (InputStream json = metadata.openStream()) {
				Map<String, Object> root = JsonParserFactory.getJsonParser()
					.parseMap(new String(json.readAllBytes(), StandardCharsets.UTF_8));
				for (Object each : (List<?>) root.get("properties")) {
					Map<?, ?> property = (Map<?, ?>) each;
					METADATA.put(ConfigurationPropertyName.of((String) property.get("name")),
							new Property((String) property.get("type"), property.containsKey("deprecation")));
				}
			}
		}
	}

	private static String dashed(String name) {
		return name.replaceAll("(?=[A-Z])", "-").toLowerCase(Locale.ROOT);
	}

	@AfterAll
	static void closeClasses() throws IOException {
		classes.close();
	}

	@ParameterizedTest
	@MethodSource("blocks")
	void thePropertiesExistAndAcceptTheirValues(Code block) throws IOException {
		assertThat(errors(block.text(), Files.readString(block.page()))).isEmpty();
	}

	static List<Code> blocks() {
		List<Code> blocks = MarkdownPage.english(ROOT)
			.stream()
			.flatMap((page) -> page.code("yaml", "properties").stream())
			.toList();
		assertThat(blocks).hasSizeGreaterThan(15);
		return blocks;
	}

	@Test
	void unknownPropertiesAndInvalidValuesAreErrors() throws IOException {
		assertThat(errors("leaf.segment.aquire-timeout: 2s", "")).hasSize(1);
		assertThat(errors("leaf.segment.acquire-timeout: 2 parsecs", "")).hasSize(1);
		assertThat(errors("leaf.keys.order.odering: global", "")).hasSize(1);
		assertThat(errors("leaf.keys.order.ordering: worldwide", "")).hasSize(1);
		assertThat(errors("leaf.server.clients.shop.tokens: a", "")).hasSize(1);
		assertThat(errors("leaf.segment.enable: true", "")).as("deprecated").hasSize(1);
		assertThat(errors("spring.data-source.urls: jdbc:h2:mem:a", "")).hasSize(1);
		assertThat(errors("ledger.datasource.jdbc-url: jdbc:h2:mem:a", "")).hasSize(1);
		assertThat(
				errors("ledger.datasource.jdbc-url: jdbc:h2:mem:a", "@ConfigurationProperties(\"ledger.datasource\")"))
			.isEmpty();
		assertThat(errors("apiVersion: v1\nkind: Secret", "")).as("Kubernetes").isEmpty();
		assertThatExceptionOfType(YAMLException.class).isThrownBy(() -> errors("apiVersion: v1\n kind: Secret", ""));
	}

	private static List<String> errors(String block, String page) throws IOException {
		ByteArrayResource resource = new ByteArrayResource(block.getBytes(StandardCharsets.UTF_8));
		if (OTHER_FILES.matcher(block).find()) {
			new Yaml().composeAll(new StringReader(block)).forEach((node) -> {
			});
			return List.of();
		}
		List<PropertySource<?>> documents = block.lines().findFirst().orElseThrow().matches("[\\w.\\[\\]-]+=.*")
				? new PropertiesPropertySourceLoader().load("block", resource)
				: new YamlPropertySourceLoader().load("block", resource);
		return documents.stream().flatMap((document) -> errors((EnumerablePropertySource<?>) document, page)).toList();
	}

	private static Stream<String> errors(EnumerablePropertySource<?> document, String page) {
		Map<String, Object> values = new TreeMap<>();
		for (String name : document.getPropertyNames()) {
			values.put(name, document.getProperty(name));
		}
		Binder binder = new Binder(new MapConfigurationPropertySource(values));
		return values.keySet()
			.stream()
			.map((name) -> error(ConfigurationPropertyName.adapt(name, '.'), binder, page))
			.filter((error) -> error != null);
	}

	private static @Nullable String error(ConfigurationPropertyName name, Binder binder, String page) {
		for (ConfigurationPropertyName known = name; !known.isEmpty(); known = known.getParent()) {
			Property property = METADATA.get(known);
			if (property != null && (known == name || property.hasElements())) {
				return property.deprecated() ? known + " is deprecated" : bindingError(known, property.type(), binder);
			}
			if (page.contains("@ConfigurationProperties(\"" + known + "\")")) {
				// a property of the application itself
				return null;
			}
		}
		return name + " does not exist";
	}

	private static @Nullable String bindingError(ConfigurationPropertyName name, String type, Binder binder) {
		try {
			binder.bind(name, Bindable.of(resolve(type)), new NoUnboundElementsBindHandler(BindHandler.DEFAULT));
			return null;
		}
		catch (BindException ex) {
			return ex + ": " + ex.getCause();
		}
	}

	private static ResolvableType resolve(String type) {
		Matcher generic = GENERIC.matcher(type);
		if (!generic.matches()) {
			return ResolvableType.forClass(ClassUtils.resolveClassName(type, classes));
		}
		Class<?> container = ClassUtils.resolveClassName(generic.group(1), classes);
		ResolvableType element = resolve(generic.group(2));
		return (Map.class == container)
				? ResolvableType.forClassWithGenerics(container, ResolvableType.forClass(String.class), element)
				: ResolvableType.forClassWithGenerics(container, element);
	}

	private record Property(String type, boolean deprecated) {

		boolean hasElements() {
			return this.type.startsWith("java.util.");
		}

	}

}
