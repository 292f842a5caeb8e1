// SPDX-License-Identifier: Apache-2.0

package io.leaf.autoconfigure.legacy;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import org.springframework.aot.AotDetector;
import org.springframework.boot.context.event.ApplicationContextInitializedEvent;
import org.springframework.boot.context.event.ApplicationEnvironmentPreparedEvent;
import org.springframework.boot.context.event.SpringApplicationEvent;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.CompositePropertySource;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MutablePropertySources;
import org.springframework.core.env.PropertySource;
import org.springframework.core.io.support.ResourcePropertySource;

/**
 * Makes the configuration of Meituan's Leaf take effect: its file {@code
 * leaf.properties}, and the former names of its properties in any source.
 * <p>
 * This listener runs after all initializers, some of which load further configuration,
 * and before the first condition is evaluated. Only files that are named by
 * {@code @PropertySource} are added later, so former names have no effect in these files,
 * and {@code leaf.properties} takes precedence over these files. This is also the case if
 * the application was processed ahead of time. Its initializer then adds these files
 * earlier, as the last property sources, so this listener sets them aside meanwhile.
 */
class LegacyConfigurationListener implements ApplicationListener<SpringApplicationEvent> {

	/**
	 * The name of the source with the default properties of {@code SpringApplication}.
	 * The package of the constant with this name differs between Spring Boot 3 and 4.
	 */
	private static final String DEFAULT_PROPERTIES = "defaultProperties";

	private final Set<String> sourcesBeforeInitializers = new HashSet<>();

	@Override
	public void onApplicationEvent(SpringApplicationEvent event) {
		if (event instanceof ApplicationEnvironmentPreparedEvent prepared) {
			prepared.getEnvironment()
				.getPropertySources()
				.forEach((source) -> this.sourcesBeforeInitializers.add(source.getName()));
		}
		else if (event instanceof ApplicationContextInitializedEvent initialized) {
			addSources(initialized.getApplicationContext());
		}
	}

	private void addSources(ConfigurableApplicationContext context) {
		MutablePropertySources sources = context.getEnvironment().getPropertySources();
		ConfigurableEnvironment parent = environment(context.getParent());
		List<PropertySource<?>> files = AotDetector.useGeneratedArtifacts() ? addedFiles(sources, parent) : List.of();
		files.forEach((file) -> sources.remove(file.getName()));
		addFile(context, parent);
		addNames(context.getEnvironment(), parent);
		files.forEach(sources::addLast);
	}

	private List<PropertySource<?>> addedFiles(MutablePropertySources sources,
			@Nullable ConfigurableEnvironment parent) {
		List<PropertySource<?>> files = new ArrayList<>();
		for (PropertySource<?> source : sources) {
			if (this.sourcesBeforeInitializers.contains(source.getName())
					&& !DEFAULT_PROPERTIES.equals(source.getName())) {
				// the files that precede this source were added by other initializers, to
				// override it; but initializers may move the default properties to the
				// end
				files.clear();
			}
			else if (isFile(source) && !isIn(parent, source.getName())) {
				files.add(source);
			}
		}
		return files;
	}

	// Spring combines files with the same name of the property source.
	private static boolean isFile(PropertySource<?> source) {
		return source instanceof ResourcePropertySource
				|| (source instanceof CompositePropertySource files && !files.getPropertySources().isEmpty()
						&& files.getPropertySources().stream().allMatch(LegacyConfigurationListener::isFile));
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
