// SPDX-License-Identifier: Apache-2.0

package io.leaf.autoconfigure;

import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.Banner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.context.event.ApplicationFailedEvent;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.boot.logging.LoggingSystem;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.Environment;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.io.support.SpringFactoriesLoader;
import org.springframework.core.io.support.SpringFactoriesLoader.ArgumentResolver;

/**
 * The outcome of starting an application.
 *
 * @param context the application that has started, or {@code null}
 * @param failure the reason of the failure, or {@code null}
 * @param explanation the explanation that Spring Boot would print, or {@code null} if it
 * would print only the stack trace
 */
record StartOutcome(@Nullable ConfigurableApplicationContext context, @Nullable Throwable failure,
		@Nullable String explanation) {

	static StartOutcome of(Class<?> configuration, Map<String, String> properties) {
		SpringApplication application = new SpringApplication(configuration);
		application.setWebApplicationType(WebApplicationType.NONE);
		application.setBannerMode(Banner.Mode.OFF);
		application.setLogStartupInfo(false);
		application.setRegisterShutdownHook(false);
		StandardEnvironment environment = new StandardEnvironment();
		environment.getPropertySources().addFirst(new MapPropertySource("drawn", Map.copyOf(properties)));
		application.setEnvironment(environment);
		FailureListener listener = new FailureListener(environment);
		application.addListeners(listener);
		// the application would reconfigure the logging of the tests
		String loggingSystem = System.setProperty(LoggingSystem.SYSTEM_PROPERTY, LoggingSystem.NONE);
		try {
			return new StartOutcome(application.run(), null, null);
		}
		catch (RuntimeException ex) {
			return new StartOutcome(null, ex, listener.explanation);
		}
		finally {
			if (loggingSystem != null) {
				System.setProperty(LoggingSystem.SYSTEM_PROPERTY, loggingSystem);
			}
			else {
				System.clearProperty(LoggingSystem.SYSTEM_PROPERTY);
			}
		}
	}

	/**
	 * Calls the failure analyzers as Spring Boot does, which prints the first analysis.
	 */
	private static final class FailureListener implements ApplicationListener<ApplicationFailedEvent> {

		private final Environment environment;

		private @Nullable String explanation;

		FailureListener(Environment environment) {
			this.environment = environment;
		}

		@Override
		public void onApplicationEvent(ApplicationFailedEvent event) {
			BeanFactory beanFactory = (event.getApplicationContext() != null)
					? event.getApplicationContext().getBeanFactory() : null;
			ArgumentResolver arguments = ArgumentResolver.of(Environment.class, this.environment);
			if (beanFactory != null) {
				arguments = arguments.and(BeanFactory.class, beanFactory);
			}
			List<FailureAnalyzer> analyzers = SpringFactoriesLoader.forDefaultResourceLocation()
				.load(FailureAnalyzer.class, arguments, (type, name, failure) -> {
				});
			this.explanation = analyzers.stream()
				.map((analyzer) -> analyzer.analyze(event.getException()))
				.filter((analysis) -> analysis != null)
				.map(FailureListener::text)
				.findFirst()
				.orElse(null);
		}

		private static String text(FailureAnalysis analysis) {
			return analysis.getDescription() + "\n" + analysis.getAction();
		}

	}

}
