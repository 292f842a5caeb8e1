// SPDX-License-Identifier: Apache-2.0

package io.leaf.autoconfigure;

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
 * Has the generators closed after the other beans, which may draw IDs while they are
 * destroyed: with {@code @LeafId}, or after a look-up, neither of which tells Spring that
 * one bean needs the other.
 * <p>
 * Spring destroys beans in the reverse of the order in which they were first registered
 * for it. A bean that takes the place of one that is registered keeps its position, so
 * these positions are reserved before there is any other bean. As always, a bean that
 * another one depends on is destroyed after that one, also when its turn comes earlier.
 */
final class ClosingOrder implements BeanFactoryPostProcessor, BeanClassLoaderAware {

	private static final List<String> LAST = List.of("leafSegmentDataSource", "leafLeaseKeeper",
			"leafSegmentIdGenerator");

	/**
	 * What a connection may go to or through without Spring knowing.
	 */
	private static final List<String> NEEDED = List.of("org.apache.curator.framework.CuratorFramework",
			"org.testcontainers.lifecycle.Startable");

	/**
	 * DevTools' bean that ends a database in memory. It is there for every database, and
	 * is created late: at its usual turn it would have the generators closed first of
	 * all.
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
			// others are created after a DataSource, which the generators depend on
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
