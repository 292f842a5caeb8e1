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

import java.time.Duration;
import java.util.Properties;
import java.util.function.Supplier;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariConfigMXBean;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.util.Credentials;
import io.leaf.autoconfigure.LeafSegmentProperties.Datasource;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.jdbc.DataSourceUnwrapper;
import org.springframework.boot.jdbc.DatabaseDriver;
import org.springframework.boot.jdbc.EmbeddedDatabaseConnection;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/**
 * The private pool: up to two connections, none of which is kept while idle, so that a
 * fetch never waits for a connection that the callers of the generator hold. With
 * {@link SoonBackPool} the only class that needs HikariCP.
 */
final class SegmentPool {

	private static final int MAX_CONNECTIONS = 2;

	/**
	 * The shortest that HikariCP accepts.
	 */
	private static final Duration IDLE_TIMEOUT = Duration.ofSeconds(10);

	/**
	 * The pool goes on connecting in the background; a fetch that gives up here is told
	 * why and comes back.
	 */
	private static final Duration CONNECTION_TIMEOUT = Duration.ofSeconds(1);

	/**
	 * A database in this process is never away, but on a busy machine its first
	 * connection may take seconds, and where that fails its tables are not created.
	 */
	private static final Duration IN_MEMORY_CONNECTION_TIMEOUT = Duration.ofSeconds(30);

	private SegmentPool() {
	}

	/**
	 * Creates a pool that connects as the application's does, save for what is
	 * overridden. Credentials changed in the application's pool later are followed.
	 */
	static SegmentDataSource like(HikariDataSource application, Datasource overrides) {
		String url = application.getJdbcUrl();
		HikariConfig config = config(url);
		config.setConnectionInitSql(application.getConnectionInitSql());
		config.setConnectionTestQuery(application.getConnectionTestQuery());
		config.setSchema(application.getSchema());
		config.setCatalog(application.getCatalog());
		config.setMaxLifetime(application.getMaxLifetime());
		Supplier<Credentials> credentials = () -> override(application.getCredentials(), overrides);
		if (application.getDataSource() != null) {
			config.setDataSource(new SegmentConnections(application.getDataSource(), credentials));
		}
		else if (url != null && application.getDataSourceClassName() == null) {
			DriverManagerDataSource driver = driver(url, application.getDriverClassName());
			Properties properties = new Properties();
			properties.putAll(application.getDataSourceProperties());
			driver.setConnectionProperties(properties);
			config.setDataSource(new SegmentConnections(driver, credentials));
		}
		else {
			config.setDataSourceClassName(application.getDataSourceClassName());
			config.setDataSourceJNDI(application.getDataSourceJNDI());
			config.setDataSourceProperties(application.getDataSourceProperties());
			config.setCredentials(credentials.get());
		}
		return create(config);
	}

	/**
	 * Creates a pool for a JDBC URL. Credentials that are not overridden are those of the
	 * application: of its pool, or else of its connection details.
	 */
	static SegmentDataSource to(String url, @Nullable DataSource application, @Nullable ApplicationDatabase details,
			Datasource overrides) {
		HikariDataSource pool = (application != null) ? behind(application) : null;
		Credentials known = (details != null) ? Credentials.of(details.username(), details.password())
				: Credentials.of(null, null);
		HikariConfig config = config(url);
		config.setDataSource(new SegmentConnections(driver(url, null),
				() -> override((pool != null) ? pool.getCredentials() : known, overrides)));
		return create(config);
	}

	private static HikariConfig config(@Nullable String url) {
		boolean inMemory = isInMemory(url);
		HikariConfig config = new HikariConfig();
		config.setPoolName("leaf-segment");
		config.setMaximumPoolSize(MAX_CONNECTIONS);
		// a database in memory ends with its last connection, which may be ours
		config.setMinimumIdle(inMemory ? 1 : 0);
		config.setIdleTimeout(IDLE_TIMEOUT.toMillis());
		config.setConnectionTimeout((inMemory ? IN_MEMORY_CONNECTION_TIMEOUT : CONNECTION_TIMEOUT).toMillis());
		// the database may be down at start; leaf.segment.fail-fast decides what follows
		config.setInitializationFailTimeout(-1);
		return config;
	}

	private static boolean isInMemory(@Nullable String url) {
		return url != null
				&& EmbeddedDatabaseConnection.isEmbedded(DatabaseDriver.fromJdbcUrl(url).getDriverClassName(), url);
	}

	private static DriverManagerDataSource driver(String url, @Nullable String driverClassName) {
		DriverManagerDataSource driver = new DriverManagerDataSource(url);
		if (driverClassName != null) {
			driver.setDriverClassName(driverClassName);
		}
		return driver;
	}

	private static Credentials override(Credentials credentials, Datasource overrides) {
		return Credentials.of((overrides.username() != null) ? overrides.username() : credentials.getUsername(),
				(overrides.password() != null) ? overrides.password() : credentials.getPassword());
	}

	private static SegmentDataSource create(HikariConfig config) {
		HikariDataSource pool = new SoonBackPool(config);
		return new SegmentDataSource(pool, pool::close);
	}

	/**
	 * Returns the pool behind a {@code DataSource}, or {@code null} if it is another one.
	 */
	static @Nullable HikariDataSource behind(DataSource dataSource) {
		return DataSourceUnwrapper.unwrap(dataSource, HikariConfigMXBean.class, HikariDataSource.class);
	}

}
