// SPDX-License-Identifier: Apache-2.0

package io.leaf.autoconfigure.segment;

import java.util.HashSet;
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
 * Closes the generators after the other beans, which may request IDs while they are
 * destroyed: through {@code @LeafId} or a look-up, neither of which Spring knows as a
 * dependency.
 * <p>
 * Spring destroys beans in the reverse of the order in which they were first registered
 * for destruction. A bean that replaces a registered one keeps its position, so these
 * positions are reserved before any other bean exists. As always, a bean that another
 * bean depends on is destroyed after that bean, even if its turn comes earlier.
 */
public final class ClosingOrder implements BeanFactoryPostProcessor, BeanClassLoaderAware {

	private static final List<String> LAST = List.of("leafConnectionSource", "leafServers", "leafLeaseKeeper",
			"leafSegmentIdGenerator");

	/**
	 * The beans that a connection may depend on without Spring knowing.
	 */
	private static final List<String> NEEDED = List.of("org.apache.curator.framework.CuratorFramework",
			"org.testcontainers.lifecycle.Startable");

	/**
	 * DevTools' bean that shuts down an in-memory database. It exists for every database
	 * and is created late: in its usual turn it would close the generators before
	 * everything else.
	 */
	private static final String SHUTDOWN = "inMemoryDatabaseShutdownExecutor";

	private @Nullable ClassLoader classLoader;

	@Override
	public void setBeanClassLoader(ClassLoader classLoader) {
		this.classLoader = classLoader;
	}

	@Override
	public void postProcessBeanFactory(ConfigurableListableBeanFactory beanFactory) {
		if (beanFactory instanceof DefaultSingletonBeanRegistry registry) {
			// Spring closes the generators before a DataSource that they depend on. In
			// its usual turn, a DataSource would therefore close them before beans that
			// were created earlier than the DataSource.
			for (String name : beanFactory.getBeanNamesForType(DataSource.class, false, false)) {
				reserve(name, registry);
			}
			if (beanFactory.containsBeanDefinition(SHUTDOWN)) {
				reserve(SHUTDOWN, registry);
			}
			LAST.forEach((name) -> reserve(name, registry));
		}
		Set<String> needed = new HashSet<>(Set.of(SHUTDOWN));
		for (String type : NEEDED) {
			if (ClassUtils.isPresent(type, this.classLoader)) {
				Class<?> known = ClassUtils.resolveClassName(type, this.classLoader);
				needed.addAll(List.of(beanFactory.getBeanNamesForType(known, true, false)));
			}
		}
		needed.forEach((name) -> LAST.forEach((last) -> beanFactory.registerDependentBean(name, last)));
	}

	private static void reserve(String name, DefaultSingletonBeanRegistry registry) {
		registry.registerDisposableBean(name, () -> {
		});
	}

}
