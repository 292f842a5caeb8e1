// SPDX-License-Identifier: Apache-2.0

package io.leaf.autoconfigure.properties;

import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.UnboundConfigurationPropertiesException;
import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.core.convert.ConversionException;
import org.springframework.core.env.Environment;
import org.springframework.util.ClassUtils;

/**
 * Explains why a {@code leaf} property cannot be bound: its value cannot be converted, or
 * the numbering of a list has a gap. Replaces Spring Boot's explanations, which name Java
 * types, and show values that may be secrets.
 */
@Order(Ordered.HIGHEST_PRECEDENCE)
class LeafBindFailureAnalyzer extends AbstractFailureAnalyzer<BindException> {

	private final Environment environment;

	LeafBindFailureAnalyzer(Environment environment) {
		this.environment = environment;
	}

	@Override
	protected @Nullable FailureAnalysis analyze(Throwable rootFailure, BindException cause) {
		String name = cause.getName().toString();
		// Spring Boot's explanation of a gap would show the values of the elements, which
		// may be secrets
		if (name.startsWith("leaf.") && cause.getCause() instanceof UnboundConfigurationPropertiesException ex) {
			return new FailureAnalysis(
					"The numbering of the list '%s' has a gap before these elements: %s.".formatted(name,
							ex.getUnboundProperties()
								.stream()
								.map((property) -> "'" + property.getName() + "'")
								.collect(Collectors.joining(", "))),
					"Number the elements of '%s' consecutively, beginning at 0.".formatted(name), cause);
		}
		Class<?> type = cause.getTarget().getType().resolve();
		if (!name.startsWith("leaf.") || type == null) {
			return null;
		}
		String origin = PropertyOrigin.of(this.environment, name);
		if ((type.isRecord() || type == Map.class) && cause.getCause() instanceof ConversionException) {
			// this description does not show the value, because it may be a secret
			return new FailureAnalysis(
					"The configuration property '%s'%s has a value, but it is only the prefix of other properties."
						.formatted(name, origin),
					"Set the properties below it instead, as needed: %s."
						.formatted(type.isRecord() ? properties(name, type) : name + ".<name>"),
					cause);
		}
		String rule = rule(ClassUtils.resolvePrimitiveIfNecessary(type));
		ConfigurationProperty property = cause.getProperty();
		if (rule == null || property == null) {
			return null;
		}
		return new FailureAnalysis("Invalid value '%s' for configuration property '%s'%s. %s."
			.formatted(property.getValue(), name, origin, rule),
				"Correct the configuration of '%s'. %s.".formatted(name, rule), cause);
	}

	private static String properties(String name, Class<?> type) {
		return Arrays.stream(type.getRecordComponents())
			.map((component) -> name + "." + DataObjectPropertyName.toDashedForm(component.getName()))
			.collect(Collectors.joining(", "));
	}

	private static @Nullable String rule(Class<?> type) {
		if (type.isEnum()) {
			return "It must be one of " + Arrays.stream(type.getEnumConstants())
				.map((constant) -> ((Enum<?>) constant).name().toLowerCase(Locale.ROOT).replace('_', '-'))
				.collect(Collectors.joining(", "));
		}
		if (type == Duration.class) {
			return "It must be a number with a unit, such as 500ms, 3s, 15m, 1h or 7d";
		}
		if (type == Boolean.class) {
			return "It must be true or false";
		}
		if (type == Integer.class || type == Long.class) {
			return "It must be a whole number, in digits only"
					+ ((type == Integer.class) ? ", and not larger than " + Integer.MAX_VALUE : "");
		}
		return (type == Double.class) ? "It must be a number, such as 0.1" : null;
	}

}
