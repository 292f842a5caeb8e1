// SPDX-License-Identifier: Apache-2.0

package io.leaf.autoconfigure.datasource;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import io.leaf.autoconfigure.properties.LeafSegmentProperties.Datasource;
import io.leaf.autoconfigure.properties.LeafStartupException;
import io.leaf.autoconfigure.properties.PropertyOrigin;
import io.leaf.segment.jdbc.JdbcSegmentStore;
import io.leaf.snowflake.lease.jdbc.JdbcWorkerLeaseStore;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.config.NamedBeanHolder;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.jdbc.DataSourceUnwrapper;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.Environment;
import org.springframework.jdbc.datasource.embedded.EmbeddedDatabase;
import org.springframework.util.ClassUtils;

/**
 * Selects the connections to Leaf's tables. If {@code leaf.segment.datasource.url} is
 * set, the connections are those of a private pool for this URL. Otherwise, they come
 * from a {@code DataSource} bean: the one qualified with {@link LeafDataSource}, or else
 * the application's only or primary one.
 * <p>
 * If the bean is a HikariCP pool, a private pool is derived from it. If it is not a
 * HikariCP pool, but certainly {@linkplain #followsDetails leads} to the database of the
 * connection details, a private pool is created from these details, provided that
 * HikariCP is on the classpath and the database is not embedded. In all other cases, the
 * bean is used directly or, if a user name or password is set for Leaf, startup fails.
 */
class ConnectionSourceSelector {

	private static final Logger logger = LoggerFactory.getLogger(ConnectionSourceSelector.class);

	/**
	 * The classes with which Spring Boot creates a {@code DataSource} from connection
	 * details, except for the class that creates HikariCP pools.
	 */
	private static final Pattern CREATED_FROM_DETAILS = Pattern
		.compile("org\\.springframework\\.boot\\..*\\.DataSourceConfiguration\\$(Tomcat|Dbcp2|OracleUcp|Generic)");

	private static final List<String> POOL_PROPERTIES = List.of("spring.datasource.tomcat", "spring.datasource.dbcp2",
			"spring.datasource.oracleucp");

	private final Datasource properties;

	private final ConfigurableApplicationContext context;

	private final boolean hikari;

	ConnectionSourceSelector(Datasource properties, ConfigurableApplicationContext context) {
		this.properties = properties;
		this.context = context;
		this.hikari = ClassUtils.isPresent("com.zaxxer.hikari.HikariDataSource", context.getClassLoader());
	}

	ConnectionSource select(Map<String, DataSource> qualified) {
		if (qualified.size() > 1) {
			throw new LeafStartupException(
					"Several DataSource beans are qualified with @LeafDataSource: %s. Leaf's tables are in one database."
						.formatted(String.join(", ", qualified.keySet())),
					"Leave @LeafDataSource on the bean of the database that holds Leaf's tables, and remove it from the others.");
		}
		if (this.properties.isSet() && !this.hikari) {
			throw new LeafStartupException(
					"The properties leaf.segment.datasource.* need HikariCP, which is not on the classpath.",
					"Add com.zaxxer:HikariCP, or qualify a DataSource bean with @LeafDataSource.");
		}
		String url = this.properties.url();
		if (url != null) {
			return connect(url, qualified);
		}
		for (Map.Entry<String, DataSource> bean : qualified.entrySet()) {
			return derive(bean.getKey(), bean.getValue(), null, "qualified with @LeafDataSource");
		}
		NamedBeanHolder<DataSource> bean = applicationDataSource();
		ApplicationDatabase details = followsDetails(bean) ? applicationDatabase() : null;
		return derive(bean.getBeanName(), bean.getBeanInstance(), details, "the only or primary one");
	}

	// no message contains the whole URL, because the URL may contain a password
	private ConnectionSource connect(String url, Map<String, DataSource> qualified) {
		String origin = PropertyOrigin.of(this.context.getEnvironment(), "leaf.segment.datasource.url");
		if (!qualified.isEmpty()) {
			throw new LeafStartupException(
					"There are two sources for Leaf's connections: the DataSource bean '%s', which is qualified with @LeafDataSource, and the property leaf.segment.datasource.url%s."
						.formatted(qualified.keySet().iterator().next(), origin),
					"Remove the qualifier or the property.");
		}
		if (!url.startsWith("jdbc:")) {
			throw new LeafStartupException(
					"The property leaf.segment.datasource.url%s is set, but is not a JDBC URL. The value is not shown, because it may contain a password."
						.formatted(origin),
					"Set leaf.segment.datasource.url to a URL that begins with 'jdbc:', such as jdbc:mysql://localhost:3306/leaf.");
		}
		logger.info("Leaf connects to {} with a connection pool of its own, as set by leaf.segment.datasource.url{}",
				JdbcLocation.of(url), origin);
		return SegmentPool.to(url, this.context.getBeanProvider(DataSource.class).getIfUnique(), applicationDatabase(),
				this.properties);
	}

	private @Nullable ApplicationDatabase applicationDatabase() {
		return this.context.getBeanProvider(ApplicationDatabase.class).getIfAvailable();
	}

	// Returns whether a DataSource certainly leads to the database of the connection
	// details. Spring Boot must have created it from them, and no property of its pool
	// may
	// set another URL, schema or user. In all other cases, for example if the application
	// has an XADataSource, the details may be those of another database, or of a new
	// database in memory.
	private boolean followsDetails(NamedBeanHolder<DataSource> bean) {
		ConfigurableListableBeanFactory beanFactory = this.context.getBeanFactory();
		String name = bean.getBeanName();
		if (!beanFactory.containsBeanDefinition(name)
				|| !(beanFactory.getMergedBeanDefinition(name) instanceof RootBeanDefinition definition)) {
			return false;
		}
		Method method = definition.getResolvedFactoryMethod();
		if (method == null || !CREATED_FROM_DETAILS.matcher(method.getDeclaringClass().getName()).matches()) {
			return false;
		}
		Environment environment = this.context.getEnvironment();
		Class<?> type = bean.getBeanInstance().getClass();
		boolean isReplaced = (method.getReturnType() == DataSource.class)
				? !type.getName().equals(environment.getProperty("spring.datasource.type"))
				: !method.getReturnType().isAssignableFrom(type);
		Binder binder = Binder.get(environment);
		return !isReplaced && POOL_PROPERTIES.stream()
			.noneMatch((prefix) -> binder.bind(prefix, Bindable.mapOf(String.class, Object.class)).isBound());
	}

	private NamedBeanHolder<DataSource> applicationDataSource() {
		try {
			return this.context.getBeanFactory().resolveNamedBean(DataSource.class);
		}
		catch (NoUniqueBeanDefinitionException ex) {
			throw new LeafStartupException(
					"There are several DataSource beans (%s), and either none or more than one of them is primary. So it is not clear which database holds Leaf's table."
						.formatted(String.join(", ", this.context.getBeanNamesForType(DataSource.class))),
					"Qualify a DataSource bean with @LeafDataSource, or " + alternatives());
		}
		catch (NoSuchBeanDefinitionException ex) {
			throw new LeafStartupException(isNeededBy(JdbcSegmentStore.class)
					? "Segment mode is enabled, but there is no DataSource bean to take segments from."
					: "The property leaf.snowflake.worker.source is jdbc, but there is no DataSource bean for the table leaf_worker.",
					"Configure spring.datasource.url, or define a DataSource bean with @LeafDataSource, or "
							+ alternatives());
		}
	}

	private String alternatives() {
		List<String> ways = new ArrayList<>();
		if (isNeededBy(JdbcSegmentStore.class)) {
			ways.add("turn segment mode off with leaf.segment.enabled=false");
		}
		if (isNeededBy(JdbcWorkerLeaseStore.class)) {
			ways.add("take worker IDs from another source with leaf.snowflake.worker.source=zookeeper, file or server");
		}
		return "set leaf.segment.datasource.url, or " + String.join(" and ", ways) + ".";
	}

	private boolean isNeededBy(Class<?> store) {
		return this.context.getBeanNamesForType(store, false, false).length > 0;
	}

	private ConnectionSource derive(String name, DataSource dataSource, @Nullable ApplicationDatabase details,
			String reason) {
		// when the generator is closed, it gives unused numbers back through the
		// DataSource bean; so Spring must close the generator before this bean, and
		// before the beans that this bean depends on, such as an SSH tunnel
		this.context.getBeanFactory().registerDependentBean(name, "leafConnectionSource");
		boolean embedded = DataSourceUnwrapper.unwrap(dataSource, EmbeddedDatabase.class) != null;
		HikariDataSource pool = this.hikari ? SegmentPool.behind(dataSource) : null;
		if (pool != null) {
			String url = pool.getJdbcUrl();
			logger.info("Leaf connects to {} with a connection pool of its own, derived from DataSource bean '{}' ({})",
					(url != null) ? JdbcLocation.of(url) : "the same database", name, reason);
			return SegmentPool.like(pool, this.properties);
		}
		if (this.hikari && details != null && !embedded) {
			logger.info(
					"Leaf connects to {} with a connection pool of its own, derived from the connection details of the application, because DataSource bean '{}' is not a HikariCP pool",
					JdbcLocation.of(details.url().get()), name);
			return SegmentPool.to(details.url().get(), null, details, this.properties);
		}
		if (this.properties.isSet()) {
			throw new LeafStartupException(
					"leaf.segment.datasource.username or leaf.segment.datasource.password is set, but no URL can be derived from DataSource bean '%s' (%s)."
						.formatted(name, dataSource.getClass().getName()),
					"Also set leaf.segment.datasource.url, and remove @LeafDataSource if the bean has it.");
		}
		logger.info("Leaf connects through DataSource bean '{}' ({})", name, reason);
		// Spring's embedded database needs no warning, because it has no pool that
		// callers could exhaust
		if (!embedded) {
			logger.warn(
					"DataSource bean '{}' ({}) is used directly, because no connection pool can be derived from it. If it is a pool, its maximum size must be at least one larger than the number of concurrent transactions. To give Leaf a pool of its own, set leaf.segment.datasource.url, which needs HikariCP, and remove @LeafDataSource if the bean has it",
					name, dataSource.getClass().getName());
		}
		return new ConnectionSource(dataSource, null, () -> {
		});
	}

}
