// SPDX-License-Identifier: Apache-2.0

package io.leaf.autoconfigure;

import java.util.Set;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.event.ApplicationContextInitializedEvent;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MutablePropertySources;

/**
 * Has the configuration of Meituan's Leaf understood: its file {@code leaf.properties},
 * and the names of its properties wherever they are set.
 * <p>
 * This is done after all initializers, some of which fetch configuration from elsewhere,
 * and before the first condition is evaluated. Only files that are named by
 * {@code @PropertySource} come later: in these, new names alone are understood, and what
 * {@code leaf.properties} says wins.
 */
class FormerConfigurationListener implements ApplicationListener<ApplicationContextInitializedEvent> {

	@Override
	public void onApplicationEvent(ApplicationContextInitializedEvent event) {
		ConfigurableApplicationContext context = event.getApplicationContext();
		ConfigurableEnvironment parent = environment(context.getParent());
		addFile(context, parent);
		addNames(context.getEnvironment(), parent);
	}

	private static @Nullable ConfigurableEnvironment environment(@Nullable ApplicationContext parent) {
		return (parent != null && parent.getEnvironment() instanceof ConfigurableEnvironment environment) ? environment
				: null;
	}

	private static void addFile(ConfigurableApplicationContext context, @Nullable ConfigurableEnvironment parent) {
		MutablePropertySources sources = context.getEnvironment().getPropertySources();
		// a parent's sources are in this environment, too
		sources.remove(LeafPropertiesFile.SOURCE);
		LeafPropertiesFile file = LeafPropertiesFile.read(context);
		if (!file.isEmpty()) {
			sources.addLast(file.propertySource(context.getEnvironment()));
			if (!isIn(parent, LeafPropertiesFile.SOURCE)) {
				file.warn(context.getEnvironment());
			}
		}
	}

	private static void addNames(ConfigurableEnvironment environment, @Nullable ConfigurableEnvironment parent) {
		environment.getPropertySources().remove(FormerNames.SOURCE);
		FormerNames names = FormerNames.in(environment);
		if (!names.isEmpty()) {
			environment.getPropertySources().addLast(names.propertySource());
			names.warn((parent != null && isIn(parent, FormerNames.SOURCE)) ? FormerNames.in(parent).used() : Set.of());
		}
	}

	private static boolean isIn(@Nullable ConfigurableEnvironment parent, String source) {
		return parent != null && parent.getPropertySources().contains(source);
	}

}
