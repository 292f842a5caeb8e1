// SPDX-License-Identifier: Apache-2.0

package io.leaf.autoconfigure.datasource;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import io.leaf.autoconfigure.properties.LeafSegmentProperties.Datasource;
import io.leaf.autoconfigure.properties.LeafStartupException;
import io.leaf.autoconfigure.properties.PropertyOrigin;
import io.leaf.segment.jdbc.JdbcSegmentStore;
import io.leaf.snowflake.lease.jdbc.JdbcWorkerLeaseStore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.beans.factory.config.NamedBeanHolder;
import org.springframework.boot.jdbc.DataSourceUnwrapper;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.datasource.embedded.EmbeddedDatabase;
import org.springframework.util.ClassUtils;

/**
 * Selects the connections to Leaf's tables. If {@code leaf.segment.datasource.url} is
 * set, the connections are those of a private pool for this URL. Otherwise, they come
 * from a {@code DataSource} bean: the one qualified with {@link LeafDataSource}, or else
 * the application's only or primary one.
 * <p>
 * If the bean is a HikariCP pool, or a wrapper or subclass that is known not to change
 * the connections of the pool, a private pool is derived from it. Otherwise, the bean is
 * used directly or, if a user name or password is set for Leaf, startup fails. Even if
 * Spring Boot has created the bean from connection details, no pool is created from these
 * details, because a subclass, a property of the bean's pool, or other code may have
 * changed where the bean leads.
 */
class ConnectionSourceSelector {

	private static final Logger logger = LoggerFactory.getLogger(ConnectionSourceSelector.class);

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
			return derive(bean.getKey(), bean.getValue(), "qualified with @LeafDataSource");
		}
		NamedBeanHolder<DataSource> bean = applicationDataSource();
		return derive(bean.getBeanName(), bean.getBeanInstance(), "the only or primary one");
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
		return SegmentPool.to(url, this.context.getBeanProvider(DataSource.class)::getIfUnique,
				this.context.getEnvironment(), this.properties);
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

	private ConnectionSource derive(String name, DataSource dataSource, String reason) {
		// the generators use the connections until they are closed, for example to give
		// unused numbers back; so Spring must close the generators before the DataSource
		// bean, and before the beans that this bean depends on, such as an SSH tunnel
		this.context.getBeanFactory().registerDependentBean(name, "leafConnectionSource");
		HikariDataSource pool = this.hikari ? SegmentPool.behind(dataSource) : null;
		if (pool != null) {
			logger.info("Leaf connects to {} with a connection pool of its own, derived from DataSource bean '{}' ({})",
					SegmentPool.location(pool), name, reason);
			return SegmentPool.like(pool, this.properties);
		}
		if (this.properties.isSet()) {
			throw new LeafStartupException(
					"leaf.segment.datasource.username or leaf.segment.datasource.password is set, but no connection pool can be derived from DataSource bean '%s' (%s)."
						.formatted(name, dataSource.getClass().getName()),
					"Also set leaf.segment.datasource.url, and remove @LeafDataSource if the bean has it.");
		}
		logger.info("Leaf connects through DataSource bean '{}' ({})", name, reason);
		// Spring's embedded database needs no warning, because it has no pool that
		// callers could exhaust
		if (DataSourceUnwrapper.unwrap(dataSource, EmbeddedDatabase.class) == null) {
			logger.warn(
					"DataSource bean '{}' ({}) is used directly, because it is not a HikariCP pool, or because a wrapper or a subclass may change the connections of the pool. If the bean is a pool, its maximum size must be at least one larger than the number of concurrent transactions. To give Leaf a pool of its own, set leaf.segment.datasource.url, which needs HikariCP, and remove @LeafDataSource if the bean has it",
					name, dataSource.getClass().getName());
		}
		return new ConnectionSource(dataSource, null, () -> {
		});
	}

}
