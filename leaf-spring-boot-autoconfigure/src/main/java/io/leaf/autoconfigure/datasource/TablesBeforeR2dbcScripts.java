// SPDX-License-Identifier: Apache-2.0

package io.leaf.autoconfigure.datasource;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.BeanClassLoaderAware;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.util.ClassUtils;

/**
 * Makes the application's R2DBC scripts run after Leaf's tables have been created,
 * because the scripts may insert rows into these tables. For JDBC scripts, the order of
 * the auto-configurations is enough. For R2DBC scripts it is not, because a
 * post-processor of Spring Boot makes all JDBC initializers depend on the R2DBC
 * initializers. Spring runs that post-processor first, because it has an order and this
 * post-processor has none. This post-processor then reverses the dependency.
 */
final class TablesBeforeR2dbcScripts implements BeanFactoryPostProcessor, BeanClassLoaderAware {

	private static final String SCRIPTS = "org.springframework.boot.r2dbc.init.R2dbcScriptDatabaseInitializer";

	private @Nullable ClassLoader classLoader;

	@Override
	public void setBeanClassLoader(ClassLoader classLoader) {
		this.classLoader = classLoader;
	}

	@Override
	public void postProcessBeanFactory(ConfigurableListableBeanFactory beanFactory) {
		if (ClassUtils.isPresent(SCRIPTS, this.classLoader)) {
			Set<String> scripts = beans(beanFactory, ClassUtils.resolveClassName(SCRIPTS, this.classLoader));
			Set<String> tables = beans(beanFactory, LeafSchemaInitializer.class);
			tables.forEach((name) -> dependsOn(beanFactory.getBeanDefinition(name), Set.of(), scripts));
			scripts.forEach((name) -> dependsOn(beanFactory.getBeanDefinition(name), tables, Set.of()));
		}
	}

	private static Set<String> beans(ConfigurableListableBeanFactory beanFactory, Class<?> type) {
		Set<String> names = new LinkedHashSet<>(List.of(beanFactory.getBeanNamesForType(type, true, false)));
		names.removeIf((name) -> !beanFactory.containsBeanDefinition(name));
		return names;
	}

	private static void dependsOn(BeanDefinition bean, Set<String> added, Set<String> removed) {
		String @Nullable [] before = bean.getDependsOn();
		Set<String> names = new LinkedHashSet<>((before != null) ? List.of(before) : List.of());
		names.addAll(added);
		names.removeAll(removed);
		bean.setDependsOn(names.toArray(String[]::new));
	}

}
