// SPDX-License-Identifier: Apache-2.0

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
