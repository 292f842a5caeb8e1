// SPDX-License-Identifier: Apache-2.0

package io.leaf.autoconfigure;

import java.util.ArrayList;
import java.util.List;

import io.leaf.IdGenerator;
import io.leaf.IdSequence;
import io.leaf.autoconfigure.segment.LeafSegmentAutoConfiguration;
import io.leaf.autoconfigure.segment.OnSegmentModeCondition;
import io.leaf.autoconfigure.snowflake.LeafSnowflakeAutoConfiguration;
import io.leaf.autoconfigure.snowflake.OnSnowflakeModeCondition;
import io.leaf.segment.SegmentIdGenerator;
import io.leaf.snowflake.SnowflakeIdGenerator;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.analyzer.AbstractInjectionFailureAnalyzer;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;
import org.springframework.util.ClassUtils;

/**
 * Explains why there is no generator to inject. Replaces Spring Boot's advice to define a
 * bean.
 */
@Order(Ordered.HIGHEST_PRECEDENCE)
class NoModeFailureAnalyzer extends AbstractInjectionFailureAnalyzer<NoSuchBeanDefinitionException> {

	private static final String ENABLE_SEGMENT = "For segment IDs, configure a DataSource (spring.datasource.url, or leaf.segment.datasource.url)";

	private static final String ENABLE_SEGMENT_WITH_URL = "For segment IDs, set leaf.segment.datasource.url, leaf.segment.datasource.username and leaf.segment.datasource.password";

	private static final String JDBC_SUPPORT = ", with Spring Boot's JDBC support (spring-boot-starter-jdbc) on the classpath.";

	private static final String CONNECTION_FACTORY = "io.r2dbc.spi.ConnectionFactory";

	private static final String ENABLE_SNOWFLAKE = "For snowflake IDs, set leaf.snowflake.enabled=true.";

	private final ConfigurableListableBeanFactory beanFactory;

	private final Environment environment;

	NoModeFailureAnalyzer(BeanFactory beanFactory, Environment environment) {
		this.beanFactory = (ConfigurableListableBeanFactory) beanFactory;
		this.environment = environment;
	}

	@Override
	protected @Nullable FailureAnalysis analyze(Throwable rootFailure, NoSuchBeanDefinitionException cause,
			@Nullable String description) {
		Class<?> type = (cause.getResolvableType() != null) ? cause.getResolvableType().resolve() : null;
		if (cause.getNumberOfBeansFound() > 0) {
			return null;
		}
		String required = "%s required a bean of type '%s'".formatted((description != null) ? description : "A bean",
				(type != null) ? type.getName() : "");
		if (type == IdSequence.class) {
			return new FailureAnalysis(required + ", but sequences are not beans.",
					"Inject " + IdGenerator.class.getName() + ", and call sequence(key).", cause);
		}
		List<String> reasons = new ArrayList<>();
		List<String> actions = new ArrayList<>();
		if (type == IdGenerator.class || type == SegmentIdGenerator.class) {
			reasons.add(segmentReason());
			actions.add(segmentAction());
		}
		if (type == IdGenerator.class || type == SnowflakeIdGenerator.class) {
			reasons.add(snowflakeReason());
			actions.add(ENABLE_SNOWFLAKE);
		}
		if (reasons.isEmpty()) {
			return null;
		}
		return new FailureAnalysis(
				"%s, which Leaf does not provide:\n\n\t- %s".formatted(required, String.join("\n\t- ", reasons)),
				String.join(" ", actions), cause);
	}

	// Evaluates the conditions again, because the condition evaluation report has already
	// been destroyed together with all singletons.
	private String segmentReason() {
		ConditionOutcome outcome = OnSegmentModeCondition.outcome(this.environment, this.beanFactory,
				this.beanFactory.getBeanClassLoader());
		return outcome.isMatch() ? otherReason("segment", LeafSegmentAutoConfiguration.class)
				: String.valueOf(outcome.getMessage()) + (!isOff() && usesR2dbc()
						? ", and Spring Boot configures no DataSource if the application uses R2DBC" : "");
	}

	private String segmentAction() {
		if (isOff()) {
			return "For segment IDs, remove leaf.segment.enabled=false.";
		}
		return (usesR2dbc() ? ENABLE_SEGMENT_WITH_URL : ENABLE_SEGMENT) + JDBC_SUPPORT;
	}

	private boolean isOff() {
		return Boolean.FALSE
			.equals(Binder.get(this.environment).bind("leaf.segment.enabled", Boolean.class).orElse(null));
	}

	private boolean usesR2dbc() {
		ClassLoader loader = this.beanFactory.getBeanClassLoader();
		return ClassUtils.isPresent(CONNECTION_FACTORY, loader) && this.beanFactory
			.getBeanNamesForType(ClassUtils.resolveClassName(CONNECTION_FACTORY, loader), true, false).length > 0;
	}

	private String snowflakeReason() {
		ConditionOutcome outcome = OnSnowflakeModeCondition.outcome(this.environment);
		return outcome.isMatch() ? otherReason("snowflake", LeafSnowflakeAutoConfiguration.class)
				: String.valueOf(outcome.getMessage());
	}

	private String otherReason(String mode, Class<?> autoConfiguration) {
		String[] generators = BeanFactoryUtils.beanNamesForTypeIncludingAncestors(this.beanFactory, IdGenerator.class,
				true, false);
		return "Leaf %s mode: ".formatted(mode)
				+ ((generators.length > 0) ? "the application has its own IdGenerator bean, " + generators[0]
						: "the application does not use " + autoConfiguration.getName());
	}

}
