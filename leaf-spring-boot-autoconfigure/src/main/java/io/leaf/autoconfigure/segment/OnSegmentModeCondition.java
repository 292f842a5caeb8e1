// SPDX-License-Identifier: Apache-2.0

package io.leaf.autoconfigure.segment;

import java.util.List;

import javax.sql.DataSource;

import io.leaf.autoconfigure.properties.LeafSegmentProperties;
import io.leaf.autoconfigure.properties.LeafSegmentProperties.Source;
import io.leaf.autoconfigure.properties.PropertyOrigin;
import io.leaf.autoconfigure.segment.ConditionalOnSegmentSource.OnSegmentSource;
import io.leaf.segment.SegmentStore;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.ConfigurationCondition;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;
import org.springframework.util.ClassUtils;

/**
 * Matches if segment mode is enabled. The property {@code leaf.segment.enabled} enables
 * or disables segment mode. If the property is not set, segment mode is enabled if there
 * is a {@code SegmentStore} or {@code DataSource} bean, if {@code
 * leaf.segment.datasource.url} is set, or if {@code leaf.segment.source} is {@code
 * server}. If segments come from a database, the condition matches only if Spring Boot's
 * JDBC support is on the classpath.
 */
public class OnSegmentModeCondition extends SpringBootCondition implements ConfigurationCondition {

	private static final String ENABLED = LeafSegmentProperties.PREFIX + ".enabled";

	private static final List<String> NEEDED_BY_TABLE = List.of("org.springframework.jdbc.core.JdbcTemplate",
			"org.springframework.jdbc.support.JdbcTransactionManager",
			"org.springframework.boot.jdbc.init.DataSourceScriptDatabaseInitializer");

	private static final String URL = LeafSegmentProperties.PREFIX + ".datasource.url";

	@Override
	public ConfigurationPhase getConfigurationPhase() {
		return ConfigurationPhase.REGISTER_BEAN;
	}

	@Override
	public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
		return outcome(context.getEnvironment(), context.getBeanFactory(), context.getClassLoader());
	}

	/**
	 * Returns whether segments come from Leaf servers rather than from a database.
	 */
	public static boolean comesFromServer(Environment environment) {
		return OnSegmentSource.of(environment) == Source.SERVER;
	}

	public static ConditionOutcome outcome(Environment environment,
			@Nullable ConfigurableListableBeanFactory beanFactory, @Nullable ClassLoader classLoader) {
		ConditionMessage.Builder message = ConditionMessage.forCondition("Leaf segment mode:");
		Boolean enabled = Binder.get(environment).bind(ENABLED, Boolean.class).orElse(null);
		if (!Boolean.FALSE.equals(enabled) && !comesFromServer(environment)
				&& !hasBean(SegmentStore.class, beanFactory)) {
			for (String type : NEEDED_BY_TABLE) {
				if (!ClassUtils.isPresent(type, classLoader)) {
					return ConditionOutcome.noMatch(message.because(type + " is not on the classpath"));
				}
			}
		}
		if (enabled != null) {
			return new ConditionOutcome(enabled,
					message.because(ENABLED + " is " + enabled + PropertyOrigin.of(environment, ENABLED)));
		}
		if (comesFromServer(environment)) {
			return ConditionOutcome.match(message.because("leaf.segment.source is server"));
		}
		if (environment.containsProperty(URL)) {
			return ConditionOutcome.match(message.because(URL + " is set"));
		}
		for (Class<?> source : List.of(SegmentStore.class, DataSource.class)) {
			if (hasBean(source, beanFactory)) {
				return ConditionOutcome.match(message.foundExactly("a " + source.getSimpleName() + " bean"));
			}
		}
		return ConditionOutcome.noMatch(message.didNotFind("a DataSource bean").atAll());
	}

	private static boolean hasBean(Class<?> type, @Nullable ConfigurableListableBeanFactory beanFactory) {
		return beanFactory != null
				&& BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beanFactory, type, true, false).length > 0;
	}

}
