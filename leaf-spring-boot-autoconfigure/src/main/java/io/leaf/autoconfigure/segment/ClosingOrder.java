// SPDX-License-Identifier: Apache-2.0

package io.leaf.autoconfigure.segment;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.BeanClassLoaderAware;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.DefaultSingletonBeanRegistry;
import org.springframework.util.ClassUtils;

/**
 * Makes Spring close the generators after the beans that may still request IDs while they
 * are destroyed. If such a bean uses {@code @LeafId} or looks a generator up, Spring does
 * not know that the bean depends on the generator.
 * <p>
 * Spring destroys beans in the reverse of the order in which their names were first
 * registered for destruction. So this class registers placeholders under the names of the
 * generators, and of the beans that the generators need, before other beans exist. When a
 * real bean is later registered under such a name, it takes the position of the
 * placeholder. Dependencies that Spring knows take precedence: if bean A depends on bean
 * B, A is destroyed before B, even if B's turn comes first.
 */
public final class ClosingOrder implements BeanFactoryPostProcessor, BeanClassLoaderAware {

	private static final List<String> LAST = List.of("leafConnectionSource", "leafServers", "leafLeaseKeeper",
			"leafSegmentIdGenerator");

	/**
	 * The types of the beans that Leaf's connection to a store may depend on although
	 * Spring does not know of the dependency. Beans of the first type are destroyed after
	 * those of the second, because a client may be connected to a container.
	 */
	private static final List<String> NEEDED = List.of("org.testcontainers.lifecycle.Startable",
			"org.apache.curator.framework.CuratorFramework");

	/**
	 * The name of DevTools' bean that shuts down an in-memory database. This bean exists
	 * even if the database is of another kind.
	 */
	private static final String SHUTDOWN = "inMemoryDatabaseShutdownExecutor";

	private @Nullable ClassLoader classLoader;

	@Override
	public void setBeanClassLoader(ClassLoader classLoader) {
		this.classLoader = classLoader;
	}

	@Override
	public void postProcessBeanFactory(ConfigurableListableBeanFactory beanFactory) {
		Set<String> needed = needed(beanFactory);
		if (beanFactory instanceof DefaultSingletonBeanRegistry registry) {
			// Before Spring destroys a bean that the generators need, it closes the
			// generators. Without a reserved position, such a bean that was created late
			// would therefore cause the generators to be closed before all beans that
			// were created earlier.
			for (String name : beanFactory.getBeanNamesForType(DataSource.class, false, false)) {
				reserve(name, registry);
			}
			needed.forEach((name) -> reserve(name, registry));
			LAST.forEach((name) -> reserve(name, registry));
		}
		needed.forEach((name) -> LAST.forEach((last) -> beanFactory.registerDependentBean(name, last)));
	}

	private Set<String> needed(ConfigurableListableBeanFactory beanFactory) {
		Set<String> needed = new LinkedHashSet<>();
		if (beanFactory.containsBeanDefinition(SHUTDOWN)) {
			needed.add(SHUTDOWN);
		}
		for (String type : NEEDED) {
			if (ClassUtils.isPresent(type, this.classLoader)) {
				Class<?> known = ClassUtils.resolveClassName(type, this.classLoader);
				needed.addAll(List.of(beanFactory.getBeanNamesForType(known, true, false)));
			}
		}
		return needed;
	}

	private static void reserve(String name, DefaultSingletonBeanRegistry registry) {
		// a bean that exists already has a position and, possibly, a destroy method
		if (!registry.containsSingleton(name)) {
			registry.registerDisposableBean(name, () -> {
			});
		}
	}

}
