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

import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * Snowflake mode is on if {@code leaf.snowflake.enabled} says so, in whichever spelling
 * of "true" Spring Boot accepts. A value that is no truth value stops the start.
 */
class OnSnowflakeModeCondition extends SpringBootCondition {

	private static final String ENABLED = LeafSnowflakeProperties.PREFIX + ".enabled";

	@Override
	public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
		return outcome(context.getEnvironment());
	}

	static ConditionOutcome outcome(Environment environment) {
		Boolean enabled = Binder.get(environment).bind(ENABLED, Boolean.class).orElse(null);
		return new ConditionOutcome(Boolean.TRUE.equals(enabled),
				ConditionMessage.forCondition("Leaf snowflake mode:")
					.because((enabled != null) ? ENABLED + " is " + enabled + PropertyOrigin.of(environment, ENABLED)
							: ENABLED + " is not set"));
	}

}
