// SPDX-License-Identifier: Apache-2.0

package io.leaf.autoconfigure.snowflake;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.Arrays;

import io.leaf.autoconfigure.properties.LeafSnowflakeProperties.Source;
import io.leaf.autoconfigure.properties.LeafSnowflakeProperties.Worker;
import io.leaf.autoconfigure.properties.LeafSnowflakeProperties;

import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * Matches if {@code leaf.snowflake.worker.source} is one of the given sources, in any
 * spelling that Spring Boot accepts.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target({ ElementType.TYPE, ElementType.METHOD })
@Conditional(ConditionalOnWorkerSource.OnWorkerSource.class)
@interface ConditionalOnWorkerSource {

	/**
	 * Returns the sources.
	 */
	Source[] value();

	/**
	 * Compares the bound value of the property rather than its text.
	 */
	class OnWorkerSource extends SpringBootCondition {

		private static final String WORKER = LeafSnowflakeProperties.PREFIX + ".worker";

		@Override
		public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
			Source source = Binder.get(context.getEnvironment()).bindOrCreate(WORKER, Worker.class).source();
			Source[] wanted = metadata.getAnnotations()
				.get(ConditionalOnWorkerSource.class)
				.getEnumArray("value", Source.class);
			return new ConditionOutcome(Arrays.asList(wanted).contains(source),
					ConditionMessage.forCondition(ConditionalOnWorkerSource.class)
						.because(WORKER + ".source is " + source));
		}

	}

}
