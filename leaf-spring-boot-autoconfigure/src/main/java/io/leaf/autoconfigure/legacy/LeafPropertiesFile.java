// SPDX-License-Identifier: Apache-2.0

package io.leaf.autoconfigure.legacy;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.leaf.autoconfigure.properties.LeafStartupException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.boot.env.OriginTrackedMapPropertySource;
import org.springframework.boot.env.PropertiesPropertySourceLoader;
import org.springframework.boot.origin.OriginTrackedValue;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.PropertySource;
import org.springframework.core.io.Resource;
import org.springframework.core.io.ResourceLoader;

/**
 * The configuration file {@code leaf.properties} of Meituan's Leaf.
 */
final class LeafPropertiesFile {

	static final String SOURCE = "leaf.properties";

	private static final String LOCATION = ResourceLoader.CLASSPATH_URL_PREFIX + "leaf.properties";

	/**
	 * The properties whose values keep their trailing spaces. A server of Meituan's Leaf
	 * sends the spaces as a part of the password, and uses those of {@code leaf.name} in
	 * the path of its tree in ZooKeeper.
	 */
	private static final Set<String> VERBATIM = Set.of("leaf.name", "leaf.jdbc.password", "leaf.segment.password");

	private static final List<String> ZOOKEEPER = List.of("leaf.snowflake.zk.address", "leaf.snowflake.address");

	private static final Logger logger = LoggerFactory.getLogger(LeafPropertiesFile.class);

	private final Resource resource;

	private final Map<String, OriginTrackedValue> properties = new LinkedHashMap<>();

	private LeafPropertiesFile(Resource resource) {
		this.resource = resource;
	}

	/**
	 * Reads the file from the classpath, if there is one. Only properties that begin with
	 * {@code leaf.} and have a value are kept.
	 * @throws LeafStartupException if the file cannot be read
	 */
	static LeafPropertiesFile read(ResourceLoader loader) {
		LeafPropertiesFile file = new LeafPropertiesFile(loader.getResource(LOCATION));
		if (file.resource.exists()) {
			try {
				new PropertiesPropertySourceLoader().load(SOURCE, file.resource).forEach(file::add);
			}
			catch (IOException | RuntimeException ex) {
				throw new LeafStartupException(
						"The file leaf.properties on the classpath cannot be read: " + ex.getMessage(),
						"Correct the file, or move its properties to the application's own configuration and remove the file.",
						ex);
			}
		}
		return file;
	}

	private void add(PropertySource<?> document) {
		OriginTrackedMapPropertySource source = (OriginTrackedMapPropertySource) document;
		for (String name : source.getPropertyNames()) {
			String value = String.valueOf(source.getProperty(name));
			String used = VERBATIM.contains(name) ? value : value.strip();
			if (name.startsWith("leaf.") && !used.isEmpty()) {
				this.properties.put(name, OriginTrackedValue.of(used, source.getOrigin(name)));
			}
		}
	}

	boolean isEmpty() {
		return this.properties.isEmpty();
	}

	/**
	 * Returns the properties of the file that no other source sets.
	 * @param environment the other sources
	 */
	OriginTrackedMapPropertySource propertySource(ConfigurableEnvironment environment) {
		Map<String, OriginTrackedValue> unset = new LinkedHashMap<>(this.properties);
		unset.keySet().removeIf((name) -> LegacyPropertyNames.hasValue(name, environment));
		return new OriginTrackedMapPropertySource(SOURCE, unset, true);
	}

	/**
	 * Logs that the file was read and where its properties should be moved.
	 * @param environment the effective properties, including those of the file
	 */
	void warn(ConfigurableEnvironment environment) {
		logger.warn(
				"Properties of Meituan's Leaf were read from {}: {}. Each property applies unless the application also sets it, under the same name or under its new name. A file named by @PropertySource does not override it. Move the properties to the application's own configuration, such as application.yaml, and remove the file",
				url(), String.join(", ", this.properties.keySet()));
		if (ZOOKEEPER.stream().anyMatch(this.properties::containsKey)
				&& !LegacyPropertyNames.hasValue("leaf.name", environment)) {
			logger.warn(
					"leaf.name is not set. Meituan's Leaf without leaf.name uses the ZooKeeper path /snowflake/null. To take worker IDs from the same path, set leaf.name=null (in YAML with quotes: leaf.name: \"null\")");
		}
	}

	private String url() {
		try {
			return this.resource.getURL().toString();
		}
		catch (IOException ex) {
			return LOCATION;
		}
	}

}
