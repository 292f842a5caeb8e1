// SPDX-License-Identifier: Apache-2.0

package io.leaf.autoconfigure.snowflake;

import java.time.Duration;

import io.leaf.autoconfigure.datasource.ConnectionSource;
import io.leaf.autoconfigure.datasource.LeafDatabaseConfiguration;
import io.leaf.autoconfigure.properties.BeanSelection;
import io.leaf.autoconfigure.properties.LeafProperties;
import io.leaf.autoconfigure.properties.LeafSegmentProperties;
import io.leaf.autoconfigure.properties.LeafSnowflakeProperties.Source;
import io.leaf.autoconfigure.properties.LeafSnowflakeProperties.Zookeeper;
import io.leaf.autoconfigure.properties.LeafSnowflakeProperties;
import io.leaf.autoconfigure.properties.LeafStartupException;
import io.leaf.autoconfigure.properties.PropertyOrigin;
import io.leaf.autoconfigure.properties.PropertyRanges;
import io.leaf.autoconfigure.segment.LeafServersConfiguration;
import io.leaf.http.LeafServers;
import io.leaf.snowflake.SnowflakeLanes;
import io.leaf.snowflake.lease.WorkerLeaseStore;
import io.leaf.snowflake.lease.file.FileWorkerLeaseStore;
import io.leaf.snowflake.lease.file.Machine;
import io.leaf.snowflake.lease.jdbc.JdbcWorkerLeaseStore;
import io.leaf.snowflake.lease.server.ServerWorkerLeaseStore;
import io.leaf.snowflake.lease.zookeeper.ZooKeeperSettings;
import io.leaf.snowflake.lease.zookeeper.ZooKeeperWorkerLeaseStore;
import org.apache.curator.framework.CuratorFramework;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.jdbc.init.DataSourceScriptDatabaseInitializer;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.web.client.RestClient;

/**
 * Configures the worker lease store that {@code leaf.snowflake.worker.source} selects.
 * The {@link io.leaf.snowflake.lease.LeaseKeeper} closes the store, so the bean has no
 * destroy method.
 */
final class WorkerLeaseStoreConfigurations {

	private WorkerLeaseStoreConfigurations() {
	}

	private static void require(Source selected, LeafSnowflakeProperties properties) {
		BeanSelection.require("leaf.snowflake.worker.source", selected, properties.worker().source());
	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnWorkerSource(Source.ZOOKEEPER)
	@ConditionalOnClass(CuratorFramework.class)
	@ConditionalOnMissingBean(WorkerLeaseStore.class)
	static class ZooKeeper {

		private static final String PREFIX = LeafSnowflakeProperties.PREFIX + ".zookeeper";

		@Bean(destroyMethod = "")
		ZooKeeperWorkerLeaseStore leafWorkerLeaseStore(LeafProperties properties, LeafSnowflakeProperties snowflake,
				ProcessLabel label, Environment environment, ObjectProvider<CuratorFramework> clients,
				ObjectProvider<LeafZooKeeperConnectionDetails> connectionDetails) {
			require(Source.ZOOKEEPER, snowflake);
			String name = properties.nameOr(environment);
			Zookeeper zookeeper = snowflake.zookeeper();
			LeafZooKeeperConnectionDetails details = connectionDetails.getIfAvailable();
			String connectString = (details != null) ? details.getConnectString() : zookeeper.connectString();
			CuratorFramework client = clients.getIfUnique();
			try {
				if (connectString == null && client != null) {
					return new ZooKeeperWorkerLeaseStore(client, name, label.host(), label.port());
				}
				return ZooKeeperWorkerLeaseStore.connectingTo(settings(connectString, snowflake, environment), name,
						label.host(), label.port());
			}
			catch (IllegalArgumentException ex) {
				throw new LeafStartupException(ex.getMessage() + ".",
						"Choose another leaf.name. The default is the value of spring.application.name.", ex);
			}
		}

		private static ZooKeeperSettings settings(@Nullable String connectString, LeafSnowflakeProperties snowflake,
				Environment environment) {
			if (connectString == null) {
				throw new LeafStartupException(
						"Snowflake mode takes its worker ID from ZooKeeper, but leaf.snowflake.zookeeper.connect-string is not set, and there is not exactly one CuratorFramework bean.",
						"Set leaf.snowflake.zookeeper.connect-string, for example to zk1:2181,zk2:2181. Or take worker IDs from another source with leaf.snowflake.worker.source=jdbc, file or server%s."
							.formatted((snowflake.worker().id() == null) ? ""
									: " (leaf.snowflake.worker.id is set, but it is used only with leaf.snowflake.worker.source=file)"));
			}
			Zookeeper zookeeper = snowflake.zookeeper();
			zookeeper.checkTimeouts();
			new PropertyRanges(PREFIX).require("connect-string", connectString,
					ZooKeeperSettings.isConnectString(connectString), ZooKeeperSettings.CONNECT_STRING_RULE);
			if (zookeeper.auth() != null && !ZooKeeperSettings.isAuth(zookeeper.auth())) {
				throw new LeafStartupException(
						"The property leaf.snowflake.zookeeper.auth%s is not of the form user:password. Its value is not shown, because it may contain a password."
							.formatted(PropertyOrigin.of(environment, PREFIX + ".auth")),
						"Set leaf.snowflake.zookeeper.auth to a user name and a password, separated by a colon.");
			}
			return new ZooKeeperSettings(connectString, zookeeper.auth(), zookeeper.sessionTimeout(),
					zookeeper.connectionTimeout());
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnWorkerSource(Source.JDBC)
	@ConditionalOnClass({ JdbcTemplate.class, JdbcTransactionManager.class, DataSourceScriptDatabaseInitializer.class })
	@ConditionalOnMissingBean(WorkerLeaseStore.class)
	@Import(LeafDatabaseConfiguration.class)
	static class Jdbc {

		@Bean(destroyMethod = "")
		@DependsOnDatabaseInitialization
		JdbcWorkerLeaseStore leafWorkerLeaseStore(ConnectionSource dataSource, LeafSegmentProperties segment,
				LeafProperties properties, LeafSnowflakeProperties snowflake, Environment environment) {
			require(Source.JDBC, snowflake);
			return new JdbcWorkerLeaseStore(dataSource.dataSource(), dataSource.database(),
					segment.tableName().inSameSchema(JdbcWorkerLeaseStore.DEFAULT_TABLE),
					properties.nameOr(environment));
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnWorkerSource(Source.FILE)
	@ConditionalOnMissingBean(WorkerLeaseStore.class)
	static class File {

		@Bean(destroyMethod = "")
		FileWorkerLeaseStore leafWorkerLeaseStore(LeafProperties properties, LeafSnowflakeProperties snowflake,
				SnowflakeLanes lanes, ProcessLabel label, Environment environment) {
			require(Source.FILE, snowflake);
			long workerId = snowflake.workerId(lanes.settings().layout());
			return new FileWorkerLeaseStore(snowflake.leaseRecordDirectory(), properties.nameOr(environment), workerId,
					Machine.local(label.host()));
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnWorkerSource(Source.SERVER)
	@ConditionalOnClass(RestClient.class)
	@ConditionalOnMissingBean(WorkerLeaseStore.class)
	@Import(LeafServersConfiguration.class)
	static class Server {

		@Bean(destroyMethod = "")
		ServerWorkerLeaseStore leafWorkerLeaseStore(LeafServers servers, LeafProperties properties,
				LeafSnowflakeProperties snowflake, Environment environment) {
			require(Source.SERVER, snowflake);
			return new ServerWorkerLeaseStore(servers, properties.nameOr(environment));
		}

	}

	/**
	 * Aborts startup and explains what the selected source lacks. This configuration must
	 * be imported after the configurations of the sources, because its condition looks
	 * for their beans.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnMissingBean(WorkerLeaseStore.class)
	static class Missing {

		@Bean
		WorkerLeaseStore leafWorkerLeaseStore(LeafSnowflakeProperties snowflake) {
			if (snowflake.worker().source() == Source.JDBC) {
				throw new LeafStartupException(
						"The property leaf.snowflake.worker.source is jdbc, but Spring Boot's JDBC support is not on the classpath.",
						"Add org.springframework.boot:spring-boot-starter-jdbc and a driver, or choose another source.");
			}
			if (snowflake.worker().source() == Source.SERVER) {
				throw new LeafStartupException(
						"The property leaf.snowflake.worker.source is server, but org.springframework.web.client.RestClient is not on the classpath.",
						"Add org.springframework:spring-web, or choose another source.");
			}
			throw new LeafStartupException(
					"Snowflake mode takes its worker ID from ZooKeeper, but the ZooKeeper client Curator is not on the classpath.",
					"Add org.apache.curator:curator-recipes:5.9.0. Or take worker IDs from another source with leaf.snowflake.worker.source=jdbc, file or server.");
		}

	}

}
