// SPDX-License-Identifier: Apache-2.0

package io.leaf.autoconfigure.properties;

import java.util.Map;

import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.boot.origin.Origin;
import org.springframework.core.env.ConfigurableEnvironment;

/**
 * Checks the names of the properties below {@code leaf.keys}. Spring Boot ignores those
 * that it cannot bind, so a key would silently have another mode than the configured one.
 */
public final class KeyPropertyNames {

	private static final ConfigurationPropertyName KEYS = ConfigurationPropertyName.of("leaf.keys");

	/**
	 * The settings by the form in which Spring Boot compares names.
	 */
	private static final Map<String, String> SETTINGS = Map.of("mode", "mode", "startfrom", "start-from");

	private KeyPropertyNames() {
	}

	/**
	 * Checks that each name is {@code leaf.keys.<key>.<setting>}.
	 * @throws LeafStartupException if a name is not
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
		int last = name.getNumberOfElements() - 1;
		// Spring Boot also reads LEAF_KEYS_ORDER_START_FROM as start-from
		boolean split = last > 0 && name.getElement(last - 1, Form.UNIFORM).equals("start")
				&& name.getElement(last, Form.UNIFORM).equals("from");
		int settingAt = split ? last - 1 : last;
		String setting = split ? "start-from" : SETTINGS.get(name.getElement(last, Form.UNIFORM));
		if (settingAt <= keyAt || setting == null) {
			throw new LeafStartupException("'%s'%s is not a setting of a key.".formatted(name, origin(name, source)),
					"Remove it, or set leaf.keys.<key>.mode or leaf.keys.<key>.start-from: a key has no other settings.");
		}
		if (settingAt > keyAt + 1) {
			throw new LeafStartupException(
					"'%s'%s is ambiguous: between 'leaf.keys' and '%s' there must be one name, the key.".formatted(name,
							origin(name, source), setting),
					("In a file, write a key that contains a dot in brackets, as in leaf.keys[order.item].%1$s. "
							+ "Environment variables can only name keys of lower-case letters and digits, because each '_' stands for a dot. "
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
