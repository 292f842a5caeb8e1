// SPDX-License-Identifier: Apache-2.0

package io.leaf.autoconfigure.properties;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.boot.origin.Origin;
import org.springframework.core.env.ConfigurableEnvironment;

/**
 * Checks the names of the properties below {@code leaf.keys}. Spring Boot ignores names
 * that it cannot bind. Without this check, a key could silently have another mode than
 * the configured mode.
 */
public final class KeyPropertyNames {

	private static final ConfigurationPropertyName KEYS = ConfigurationPropertyName.of("leaf.keys");

	/**
	 * The settings that are lists, whose elements may be set with an index.
	 */
	private static final List<String> LISTS = List.of("former-formats", "former-secrets");

	/**
	 * Maps the name of each setting without dashes, the form in which Spring Boot
	 * compares names, to the name itself.
	 */
	private static final Map<String, String> SETTINGS = Map.of("mode", "mode", "startfrom", "start-from", "ordering",
			"ordering", "period", "period", "periodzone", "period-zone", "digits", "digits", "format", "format",
			"formerformats", "former-formats", "secret", "secret", "formersecrets", "former-secrets");

	private KeyPropertyNames() {
	}

	/**
	 * Checks that each name is {@code leaf.keys.<key>.<setting>}.
	 * @throws LeafStartupException if a name has another form
	 */
	public static void check(ConfigurableEnvironment environment) {
		for (ConfigurationPropertySource source : ConfigurationPropertySources.get(environment)) {
			if (source instanceof IterableConfigurationPropertySource names) {
				names.filter(KEYS::isAncestorOf).forEach((name) -> check(name, source));
			}
		}
	}

	private static void check(ConfigurationPropertyName name, ConfigurationPropertySource source) {
		int keyAt = KEYS.getNumberOfElements();
		boolean hasIndex = name.isLastElementIndexed() && name.isNumericIndex(name.getNumberOfElements() - 1);
		int last = name.getNumberOfElements() - (hasIndex ? 2 : 1);
		String element = name.getElement(last, Form.UNIFORM);
		// Spring Boot also binds LEAF_KEYS_ORDER_START_FROM, in which START and FROM are
		// separate elements, to start-from
		String whole = name.getElement(last - 1, Form.UNIFORM) + element;
		boolean split = last - 1 > keyAt && SETTINGS.containsKey(whole);
		int settingAt = split ? last - 1 : last;
		String setting = SETTINGS.get(split ? whole : element);
		if (settingAt <= keyAt || setting == null || (hasIndex && !LISTS.contains(setting))) {
			throw new LeafStartupException("'%s'%s is not a setting of a key.".formatted(name, origin(name, source)),
					"Remove it, or use one of the settings that a key has: leaf.keys.<key>.%s.".formatted(
							SETTINGS.values().stream().sorted().collect(Collectors.joining(", leaf.keys.<key>."))));
		}
		if (settingAt > keyAt + 1) {
			throw new LeafStartupException(
					"'%s'%s is ambiguous, because there must be exactly one name, the key, between 'leaf.keys' and '%s'."
						.formatted(name, origin(name, source), setting),
					("In a file, put a key that contains a dot into brackets, as in leaf.keys[order.item].%1$s. "
							+ "Environment variables can name only keys that consist of lower-case letters and digits, because each '_' stands for a dot. "
							+ "For other keys, set leaf.keys[order_item].%1$s in a file, or SPRING_APPLICATION_JSON='{\"leaf.keys[order_item].%1$s\":\"…\"}'.")
						.formatted(setting));
		}
	}

	private static String origin(ConfigurationPropertyName name, ConfigurationPropertySource source) {
		ConfigurationProperty property = source.getConfigurationProperty(name);
		Origin origin = Origin.from(property);
		return (origin != null) ? " (originating from '" + origin + "')" : "";
	}

}
