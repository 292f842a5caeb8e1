// SPDX-License-Identifier: Apache-2.0

package io.leaf.autoconfigure.segment;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import io.leaf.autoconfigure.properties.LeafSegmentProperties;
import io.leaf.autoconfigure.properties.LeafSegmentProperties.Source;

import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * Matches if {@code leaf.segment.source} is the given source, in any spelling that Spring
 * Boot accepts.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
@Conditional(ConditionalOnSegmentSource.OnSegmentSource.class)
@interface ConditionalOnSegmentSource {

	/**
	 * Returns the source.
	 */
	Source value();

	/**
	 * Compares the bound value of the property rather than its text.
	 */
	class OnSegmentSource extends SpringBootCondition {

		private static final String SOURCE = LeafSegmentProperties.PREFIX + ".source";

		@Override
		public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
			Source source = of(context.getEnvironment());
			Source wanted = metadata.getAnnotations()
				.get(ConditionalOnSegmentSource.class)
				.getEnum("value", Source.class);
			return new ConditionOutcome(source == wanted,
					ConditionMessage.forCondition(ConditionalOnSegmentSource.class).because(SOURCE + " is " + source));
		}

		static Source of(Environment environment) {
			return Binder.get(environment).bind(SOURCE, Source.class).orElse(Source.JDBC);
		}

	}

}
