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

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.Arrays;

import io.leaf.autoconfigure.LeafSnowflakeProperties.Source;

import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * Worker IDs come from one of these sources, in whichever spelling of its name Spring
 * Boot accepts.
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
	 * Compares what the property is bound to, rather than its text.
	 */
	class OnWorkerSource extends SpringBootCondition {

		private static final String PROPERTY = LeafSnowflakeProperties.PREFIX + ".worker.source";

		@Override
		public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
			Source source = Binder.get(context.getEnvironment()).bind(PROPERTY, Source.class).orElse(Source.ZOOKEEPER);
			Source[] wanted = metadata.getAnnotations()
				.get(ConditionalOnWorkerSource.class)
				.getEnumArray("value", Source.class);
			return new ConditionOutcome(Arrays.asList(wanted).contains(source),
					ConditionMessage.forCondition(ConditionalOnWorkerSource.class).because(PROPERTY + " is " + source));
		}

	}

}
