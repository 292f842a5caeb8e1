/*
 * Copyright 2026 the Leaf project authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *      https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */

package io.leaf.autoconfigure;

import java.util.List;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import io.leaf.autoconfigure.LeafSegmentProperties.Datasource;
import io.leaf.segment.SegmentIdGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.jdbc.DataSourceUnwrapper;
import org.springframework.context.ApplicationContext;
import org.springframework.jdbc.datasource.embedded.EmbeddedDatabase;
import org.springframework.util.ClassUtils;

/**
 * Decides which connections segments are fetched with. In this order: the bean qualified
 * with {@link LeafDataSource}; a private pool as {@code leaf.segment.datasource.*} say;
 * one that connects as the application's HikariCP pool does, or by its connection
 * details; and where none can be derived, the application's {@code DataSource} itself.
 */
class SegmentDataSourceSelector {

	private static final Logger logger = LoggerFactory.getLogger(SegmentDataSourceSelector.class);

	private static final String CHOICES = "Qualify a DataSource bean with @LeafDataSource, or set leaf.segment.datasource.url, or turn segment mode off with leaf.segment.enabled=false.";

	private final Datasource properties;

	private final ApplicationContext context;

	private final ObjectProvider<ApplicationDatabase> applicationDatabase;

	private final boolean hikari;

	SegmentDataSourceSelector(Datasource properties, ApplicationContext context,
			ObjectProvider<ApplicationDatabase> applicationDatabase) {
		this.properties = properties;
		this.context = context;
		this.applicationDatabase = applicationDatabase;
		this.hikari = ClassUtils.isPresent("com.zaxxer.hikari.HikariDataSource", context.getClassLoader());
	}

	SegmentDataSource select(@Nullable DataSource qualified) {
		if (qualified != null) {
			return SegmentDataSource.shared(qualified);
		}
		if (this.properties.isSet() && !this.hikari) {
			throw new LeafStartupException(
					"The properties leaf.segment.datasource.* need HikariCP, which is not on the classpath.",
					"Add com.zaxxer:HikariCP, or qualify a DataSource bean with @LeafDataSource.");
		}
		if (this.properties.url() != null) {
			requireJdbc(this.properties.url());
			return SegmentPool.to(this.properties.url(), uniqueDataSource(), this.applicationDatabase.getIfAvailable(),
					this.properties);
		}
		return derive(applicationDataSource());
	}

	// without the URL, which may hold a password
	private static void requireJdbc(String url) {
		if (!url.startsWith("jdbc:")) {
			throw new LeafStartupException("The property leaf.segment.datasource.url is set, but is no JDBC URL.",
					"Let leaf.segment.datasource.url begin with 'jdbc:', as in jdbc:mysql://localhost:3306/leaf.");
		}
	}

	private @Nullable DataSource uniqueDataSource() {
		return this.context.getBeanProvider(DataSource.class).getIfUnique();
	}

	private DataSource applicationDataSource() {
		DataSource dataSource = uniqueDataSource();
		if (dataSource != null) {
			return dataSource;
		}
		List<String> names = List
			.of(BeanFactoryUtils.beanNamesForTypeIncludingAncestors(this.context, DataSource.class));
		if (names.isEmpty() && this.context.getBeanNamesForType(SegmentIdGenerator.class, false, false).length == 0) {
			throw new LeafStartupException(
					"The property leaf.snowflake.worker.source is jdbc, but there is no DataSource bean to keep worker IDs with.",
					"Configure one (spring.datasource.url); or qualify one with @LeafDataSource, or set leaf.segment.datasource.url, or take worker IDs from elsewhere with leaf.snowflake.worker.source=zookeeper or file.");
		}
		if (names.isEmpty()) {
			throw new LeafStartupException(
					"Segment mode is enabled, but there is no DataSource bean to take segments from.",
					"Configure one (spring.datasource.url). " + CHOICES);
		}
		throw new LeafStartupException(
				"There are several DataSource beans, none of them primary: %s. It is not clear which one holds Leaf's table."
					.formatted(String.join(", ", names)),
				CHOICES);
	}

	private SegmentDataSource derive(DataSource dataSource) {
		boolean embedded = DataSourceUnwrapper.unwrap(dataSource, EmbeddedDatabase.class) != null;
		if (this.hikari) {
			HikariDataSource pool = SegmentPool.behind(dataSource);
			if (pool != null) {
				return SegmentPool.like(pool, this.properties);
			}
			ApplicationDatabase database = this.applicationDatabase.getIfAvailable();
			if (database != null && !embedded) {
				return SegmentPool.to(database.url(), null, database, this.properties);
			}
		}
		if (this.properties.isSet()) {
			throw new LeafStartupException(
					"leaf.segment.datasource.username or .password is set, but the URL cannot be derived from the application's DataSource (%s)."
						.formatted(dataSource.getClass().getName()),
					"Set leaf.segment.datasource.url, too.");
		}
		// an embedded database of Spring's has no pool that callers could empty
		if (!embedded) {
			logger.warn(
					"Segments are fetched through the application's own DataSource ({}), because no connection details can be derived from it. If it is a pool, its maximum size must be at least one larger than the number of concurrent transactions. Set leaf.segment.datasource.url to give Leaf a pool of its own",
					dataSource.getClass().getName());
		}
		return SegmentDataSource.shared(dataSource);
	}

}
