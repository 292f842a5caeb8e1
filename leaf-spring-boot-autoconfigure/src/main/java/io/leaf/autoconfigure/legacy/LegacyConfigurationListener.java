// SPDX-License-Identifier: Apache-2.0

package io.leaf.autoconfigure.legacy;

import java.util.Set;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.event.ApplicationContextInitializedEvent;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MutablePropertySources;

/**
 * Makes the configuration of Meituan's Leaf take effect: its file {@code
 * leaf.properties}, and the former names of its properties in any source.
 * <p>
 * This listener runs after all initializers, some of which load further configuration,
 * and before the first condition is evaluated. Only files that are named by
 * {@code @PropertySource} are added later, so former names have no effect in these files,
 * and {@code leaf.properties} takes precedence over these files.
 */
class LegacyConfigurationListener implements ApplicationListener<ApplicationContextInitializedEvent> {

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
		// the environment also contains the sources of the parent context, which may
		// include the leaf.properties of the parent
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
		environment.getPropertySources().remove(LegacyPropertyNames.SOURCE);
		LegacyPropertyNames names = LegacyPropertyNames.in(environment);
		if (!names.isEmpty()) {
			environment.getPropertySources().addLast(names.propertySource());
			names.warn((parent != null && isIn(parent, LegacyPropertyNames.SOURCE))
					? LegacyPropertyNames.in(parent).used() : Set.of());
		}
	}

	private static boolean isIn(@Nullable ConfigurableEnvironment parent, String source) {
		return parent != null && parent.getPropertySources().contains(source);
	}

}
