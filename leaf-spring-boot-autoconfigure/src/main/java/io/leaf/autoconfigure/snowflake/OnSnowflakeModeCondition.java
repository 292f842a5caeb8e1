// SPDX-License-Identifier: Apache-2.0

package io.leaf.autoconfigure.snowflake;

import io.leaf.autoconfigure.properties.LeafSnowflakeProperties;
import io.leaf.autoconfigure.properties.PropertyOrigin;
import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * Matches if {@code leaf.snowflake.enabled} is true, in any spelling that Spring Boot
 * accepts. A value that is not a boolean aborts startup.
 */
public class OnSnowflakeModeCondition extends SpringBootCondition {

	private static final String ENABLED = LeafSnowflakeProperties.PREFIX + ".enabled";

	@Override
	public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
		return outcome(context.getEnvironment());
	}

	public static ConditionOutcome outcome(Environment environment) {
		Boolean enabled = Binder.get(environment).bind(ENABLED, Boolean.class).orElse(null);
		return new ConditionOutcome(Boolean.TRUE.equals(enabled),
				ConditionMessage.forCondition("Leaf snowflake mode:")
					.because((enabled != null) ? ENABLED + " is " + enabled + PropertyOrigin.of(environment, ENABLED)
							: ENABLED + " is not set"));
	}

}
