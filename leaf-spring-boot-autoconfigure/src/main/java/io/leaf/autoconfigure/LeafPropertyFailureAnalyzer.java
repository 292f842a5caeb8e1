/*
 * Copyright 2026 the Leaf project authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *      https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */

package io.leaf.autoconfigure;

import java.time.Duration;

import io.leaf.support.DurationText;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.env.Environment;

/**
 * Explains an invalid value of a {@code leaf} property. Spring Boot does so too, but only
 * where the property is spelled in its canonical form, so not for environment variables.
 */
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
				"Change the value of '%s'. %s.".formatted(cause.getName(), cause.getReason()), cause);
	}

}
