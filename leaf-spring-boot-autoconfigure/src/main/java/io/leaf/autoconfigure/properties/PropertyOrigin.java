// SPDX-License-Identifier: Apache-2.0

package io.leaf.autoconfigure.properties;

import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.core.env.Environment;

/**
 * Describes where the value of a property comes from, for messages.
 */
public final class PropertyOrigin {

	private PropertyOrigin() {
	}

	/**
	 * Returns the origin in parentheses, preceded by a space, or an empty string if the
	 * origin is not known.
	 */
	public static String of(Environment environment, String property) {
		ConfigurationPropertyName name = ConfigurationPropertyName.of(property);
		for (ConfigurationPropertySource source : ConfigurationPropertySources.get(environment)) {
			ConfigurationProperty found = source.getConfigurationProperty(name);
			if (found != null) {
				return (found.getOrigin() != null) ? " (originating from '" + found.getOrigin() + "')" : "";
			}
		}
		return "";
	}

}
