// SPDX-License-Identifier: Apache-2.0

package io.leaf.autoconfigure.legacy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.env.OriginTrackedMapPropertySource;
import org.springframework.boot.origin.OriginTrackedValue;
import org.springframework.core.env.ConfigurableEnvironment;

/**
 * The properties that an application has set under the names of Meituan's Leaf or of its
 * starter branch. If the present name of a property is set, in whatever source, its
 * former names are ignored. If two former names of the same property are set, the name in
 * the source with the higher precedence is used. An empty value of a former name is
 * ignored, but an empty value of the present name is not.
 */
final class LegacyPropertyNames {

	static final String SOURCE = "former names of leaf properties";

	private static final Logger logger = LoggerFactory.getLogger(LegacyPropertyNames.class);

	/**
	 * Maps the present name of each property to its former names: the name in Meituan's
	 * Leaf, followed by the name in its starter branch if that is different.
	 */
	static final Map<String, List<String>> NAMES = names();

	private final List<Use> uses;

	private LegacyPropertyNames(List<Use> uses) {
		this.uses = uses;
	}

	private static Map<String, List<String>> names() {
		Map<String, List<String>> names = new LinkedHashMap<>();
		names.put("leaf.segment.enabled", List.of("leaf.segment.enable"));
		names.put("leaf.segment.datasource.url", List.of("leaf.jdbc.url", "leaf.segment.url"));
		names.put("leaf.segment.datasource.username", List.of("leaf.jdbc.username", "leaf.segment.username"));
		names.put("leaf.segment.datasource.password", List.of("leaf.jdbc.password", "leaf.segment.password"));
		names.put("leaf.snowflake.enabled", List.of("leaf.snowflake.enable"));
		names.put("leaf.snowflake.zookeeper.connect-string",
				List.of("leaf.snowflake.zk.address", "leaf.snowflake.address"));
		return Collections.unmodifiableMap(names);
	}

	/**
	 * Finds the former names that are set, in any spelling that Spring Boot accepts.
	 */
	static LegacyPropertyNames in(ConfigurableEnvironment environment) {
		List<Use> all = new ArrayList<>();
		NAMES.forEach((name, formerNames) -> {
			List<ConfigurationProperty> found = find(formerNames, environment);
			if (!found.isEmpty()) {
				String winner = isSet(name, environment) ? name : found.get(0).getName().toString();
				found.forEach((property) -> all.add(new Use(property, name, winner)));
			}
		});
		return new LegacyPropertyNames(all);
	}

	private static boolean isSet(String name, ConfigurableEnvironment environment) {
		for (ConfigurationPropertySource source : sources(environment)) {
			if (source.getConfigurationProperty(ConfigurationPropertyName.of(name)) != null) {
				return true;
			}
		}
		return false;
	}

	/**
	 * Returns whether a property has a value that is not empty, under any spelling of its
	 * name.
	 */
	static boolean hasValue(String name, ConfigurableEnvironment environment) {
		return !find(List.of(name), environment).isEmpty();
	}

	// returns the properties from the highest precedence to the lowest, each name once
	private static List<ConfigurationProperty> find(List<String> names, ConfigurableEnvironment environment) {
		Map<String, ConfigurationProperty> found = new LinkedHashMap<>();
		for (ConfigurationPropertySource source : sources(environment)) {
			for (String name : names) {
				ConfigurationProperty property = source
					.getConfigurationProperty(ConfigurationPropertyName.adapt(name, '.'));
				if (property != null && !isEmpty(property, environment)) {
					found.putIfAbsent(name, property);
				}
			}
		}
		return List.copyOf(found.values());
	}

	private static boolean isEmpty(ConfigurationProperty property, ConfigurableEnvironment environment) {
		return environment.resolvePlaceholders(String.valueOf(property.getValue())).isBlank();
	}

	private static Iterable<ConfigurationPropertySource> sources(ConfigurableEnvironment environment) {
		return ConfigurationPropertySources.from(environment.getPropertySources());
	}

	boolean isEmpty() {
		return this.uses.isEmpty();
	}

	/**
	 * Returns the former names that are set.
	 */
	Set<String> used() {
		return this.uses.stream().map(Use::formerName).collect(Collectors.toUnmodifiableSet());
	}

	/**
	 * Returns a source that maps present names to the values that are set under former
	 * names. This source must be added last, so that values that are set under present
	 * names take precedence.
	 */
	OriginTrackedMapPropertySource propertySource() {
		Map<String, OriginTrackedValue> values = new LinkedHashMap<>();
		for (Use use : this.uses) {
			if (use.winner().equals(use.formerName())) {
				values.put(use.name(), OriginTrackedValue.of(use.property().getValue(), use.property().getOrigin()));
			}
		}
		return new OriginTrackedMapPropertySource(SOURCE, values, true);
	}

	/**
	 * Logs the present name of each former name that is set, and which former names are
	 * ignored.
	 * @param known former names that have already been logged for the parent context
	 */
	void warn(Set<String> known) {
		this.uses.stream().filter((use) -> !known.contains(use.formerName())).forEach(LegacyPropertyNames::warn);
	}

	private static void warn(Use use) {
		if (use.winner().equals(use.formerName())) {
			logger.warn("The property {} ({}) has a new name: {}", use.formerName(), use.property().getOrigin(),
					use.name());
		}
		else if (use.winner().equals(use.name())) {
			logger.warn("The property {} ({}) is ignored, because its new name is also set: {}", use.formerName(),
					use.property().getOrigin(), use.name());
		}
		else {
			logger.warn("The property {} ({}) is ignored, because {} is also set. The new name of both is {}",
					use.formerName(), use.property().getOrigin(), use.winner(), use.name());
		}
	}

	/**
	 * A former name that is set.
	 *
	 * @param property its source and value
	 * @param name the present name
	 * @param winner the name that is used: the present name or a former name
	 */
	private record Use(ConfigurationProperty property, String name, String winner) {

		String formerName() {
			return this.property.getName().toString();
		}

	}

}
