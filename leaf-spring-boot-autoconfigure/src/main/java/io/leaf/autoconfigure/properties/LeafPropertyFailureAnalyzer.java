// SPDX-License-Identifier: Apache-2.0

package io.leaf.autoconfigure.properties;

import java.time.Duration;

import io.leaf.support.DurationText;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;

/**
 * Explains an invalid value of a {@code leaf} property. Replaces Spring Boot's
 * explanation, which lacks the origin of the value if the property is not spelled in its
 * canonical form, for example {@code LEAF_SEGMENT_MAXSTEP} or {@code
 * leaf.segment.maxStep} instead of {@code leaf.segment.max-step}.
 */
@Order(0)
class LeafPropertyFailureAnalyzer extends AbstractFailureAnalyzer<InvalidConfigurationPropertyValueException> {

	private final Environment environment;

	LeafPropertyFailureAnalyzer(Environment environment) {
		this.environment = environment;
	}

	@Override
	protected @Nullable FailureAnalysis analyze(Throwable rootFailure,
			InvalidConfigurationPropertyValueException cause) {
		if (!cause.getName().startsWith("leaf.")) {
			return null;
		}
		String description = "Invalid value '%s' for configuration property '%s'%s. %s.".formatted(
				(cause.getValue() instanceof Duration duration) ? DurationText.of(duration) : cause.getValue(),
				cause.getName(), PropertyOrigin.of(this.environment, cause.getName()), cause.getReason());
		return new FailureAnalysis(description,
				"Correct the configuration of '%s'. %s.".formatted(cause.getName(), cause.getReason()), cause);
	}

}
