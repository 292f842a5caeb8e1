// SPDX-License-Identifier: Apache-2.0

package io.leaf.autoconfigure;

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
 * The names that properties have in Meituan's Leaf and in its starter branch, as far as
 * an application has set them. A name of today wins over them, wherever it is set; of two
 * former names of the same property, the one that is set where precedence is higher. A
 * value that is empty counts as none.
 */
final class FormerNames {

	static final String SOURCE = "former names of leaf properties";

	private static final Logger logger = LoggerFactory.getLogger(FormerNames.class);

	/**
	 * By the name of today: the name in Leaf, and the one in the starter branch where it
	 * is another.
	 */
	static final Map<String, List<String>> NAMES = names();

	private final List<Use> uses;

	private FormerNames(List<Use> uses) {
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
	 * Finds the former names that are set, in whichever spelling Spring Boot accepts.
	 */
	static FormerNames in(ConfigurableEnvironment environment) {
		List<Use> all = new ArrayList<>();
		NAMES.forEach((name, formerNames) -> {
			List<ConfigurationProperty> found = find(formerNames, environment);
			if (!found.isEmpty()) {
				String winner = isSet(name, environment) ? name : found.get(0).getName().toString();
				found.forEach((property) -> all.add(new Use(property, name, winner)));
			}
		});
		return new FormerNames(all);
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
	 * Returns whether a property is set to something, in whichever spelling.
	 */
	static boolean hasValue(String name, ConfigurableEnvironment environment) {
		return !find(List.of(name), environment).isEmpty();
	}

	// from the highest precedence to the lowest, each name once
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
	 * Returns the values by the names of today. To have these win, it must be the last
	 * source.
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
	 * Tells the new name of each, and which are ignored.
	 * @param known names that were spoken of before
	 */
	void warn(Set<String> known) {
		this.uses.stream().filter((use) -> !known.contains(use.formerName())).forEach(FormerNames::warn);
	}

	private static void warn(Use use) {
		if (use.winner().equals(use.formerName())) {
			logger.warn("The property {} ({}) has a new name: {}", use.formerName(), use.property().getOrigin(),
					use.name());
		}
		else if (use.winner().equals(use.name())) {
			logger.warn("The property {} ({}) is ignored, because its new name is set, too: {}", use.formerName(),
					use.property().getOrigin(), use.name());
		}
		else {
			logger.warn("The property {} ({}) is ignored, because {} is set, too. The new name of both is {}",
					use.formerName(), use.property().getOrigin(), use.winner(), use.name());
		}
	}

	/**
	 * A former name that is set.
	 *
	 * @param property where it is set, and to what
	 * @param name the name of today
	 * @param winner which of the names counts
	 */
	private record Use(ConfigurationProperty property, String name, String winner) {

		String formerName() {
			return this.property.getName().toString();
		}

	}

}
