// SPDX-License-Identifier: Apache-2.0

package io.leaf.autoconfigure.properties;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.leaf.support.IdArguments;
import io.leaf.text.IdFormat;
import io.leaf.text.IdFormatSettings;
import io.leaf.text.IdFormats;
import io.leaf.text.IdSecret;

import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.core.env.Environment;

/**
 * Creates the formats of the keys from their properties.
 * <p>
 * Invalid secrets are reported by a {@link LeafStartupException}, because the failure
 * analysis of an {@link InvalidConfigurationPropertyValueException} shows the value.
 */
final class KeyFormats {

	private static final String DECIMAL = "{number}";

	private final Environment environment;

	KeyFormats(Environment environment) {
		this.environment = environment;
	}

	/**
	 * Creates the formats of the keys that have a format or former formats.
	 * @throws InvalidConfigurationPropertyValueException if a format is invalid
	 * @throws LeafStartupException if a secret or the name of a key is invalid
	 */
	IdFormats of(LeafProperties properties) {
		Map<String, IdFormat> formats = new HashMap<>();
		properties.keys().forEach((key, settings) -> {
			List<IdSecret> secrets = secrets(key, settings);
			if (settings.format() != null || !settings.formerFormats().isEmpty()) {
				formats.put(key, format(key, settings, secrets));
			}
		});
		return new IdFormats(formats);
	}

	private IdFormat format(String key, LeafProperties.Key properties, List<IdSecret> secrets) {
		String prefix = LeafProperties.name(key);
		if (!IdArguments.isKey(key)) {
			throw new LeafStartupException(
					"The key in the property name '%s' has %d characters.".formatted(prefix, key.length()),
					"Choose a key of 1 to %d characters.".formatted(IdArguments.MAX_KEY_LENGTH));
		}
		String template = (properties.format() != null) ? properties.format() : DECIMAL;
		if (properties.secret() == null && template.contains("{masked")) {
			throw new InvalidConfigurationPropertyValueException(prefix + ".format", template,
					"A format with {masked} needs a secret: set %s.secret".formatted(prefix));
		}
		IdFormatSettings settings = new IdFormatSettings(key, (properties.digits() != null) ? properties.digits() : 0,
				secrets);
		IdFormat format = format(prefix + ".format", template, settings);
		for (int i = 0; i < properties.formerFormats().size(); i++) {
			format(prefix + ".former-formats[%s]".formatted(i), properties.formerFormats().get(i), settings);
		}
		try {
			return format.withFormer(properties.formerFormats());
		}
		catch (IllegalArgumentException ex) {
			throw new InvalidConfigurationPropertyValueException(prefix + ".former-formats", properties.formerFormats(),
					String.valueOf(ex.getMessage()));
		}
	}

	private static IdFormat format(String property, String template, IdFormatSettings settings) {
		try {
			return IdFormat.of(template, settings);
		}
		catch (IllegalArgumentException ex) {
			throw new InvalidConfigurationPropertyValueException(property, template, String.valueOf(ex.getMessage()));
		}
	}

	private List<IdSecret> secrets(String key, LeafProperties.Key properties) {
		String prefix = LeafProperties.name(key);
		List<IdSecret> secrets = new ArrayList<>();
		if (properties.secret() != null) {
			add(secrets, prefix + ".secret", properties.secret());
		}
		for (int i = 0; i < properties.formerSecrets().size(); i++) {
			add(secrets, prefix + ".former-secrets[%s]".formatted(i), properties.formerSecrets().get(i));
		}
		return secrets;
	}

	private void add(List<IdSecret> secrets, String property, String text) {
		try {
			IdSecret secret = IdSecret.of(text);
			if (secrets.stream().anyMatch((other) -> other.id() == secret.id())) {
				throw new IllegalArgumentException(
						"The secrets of a key must have different IDs, because the ID in a masked text shows which secret unmasks the text. Another secret of this key also has the ID "
								+ secret.id());
			}
			secrets.add(secret);
		}
		catch (IllegalArgumentException ex) {
			throw new LeafStartupException(
					"Invalid value of configuration property '%s'%s. The value is not shown, because it is a secret."
						.formatted(property, PropertyOrigin.of(this.environment, property)),
					"Correct the configuration of '%s'. %s.".formatted(property, ex.getMessage()));
		}
	}

}
