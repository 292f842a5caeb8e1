// SPDX-License-Identifier: Apache-2.0

package io.leaf.application.routing;

import java.util.Map;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import io.leaf.autoconfigure.datasource.LeafDataSource;

import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.context.annotation.Profile;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;
import org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource;
import org.springframework.transaction.support.TransactionSynchronizationManager;

@Configuration(proxyBeanMethods = false)
class DatabaseConfiguration {

	@Bean
	@ConfigurationProperties("shop.replica")
	HikariDataSource replica() {
		return new HikariDataSource();
	}

	@Bean
	@Primary
	DataSource dataSource(@Qualifier("primary") DataSource primary, @Qualifier("replica") DataSource replica) {
		ReadWriteDataSource routing = new ReadWriteDataSource(primary, replica);
		routing.afterPropertiesSet();
		return new LazyConnectionDataSourceProxy(routing);
	}

	@Configuration(proxyBeanMethods = false)
	@Profile("!unmarked")
	static class Marked {

		// from docs/operations.md
		@Bean
		@LeafDataSource
		@ConfigurationProperties("shop.primary")
		HikariDataSource primary() {
			return new HikariDataSource();
		}
		// end of docs/operations.md

	}

	/**
	 * The same without the qualifier that marks the primary server for Leaf.
	 */
	@Configuration(proxyBeanMethods = false)
	@Profile("unmarked")
	static class Unmarked {

		@Bean
		@ConfigurationProperties("shop.primary")
		HikariDataSource primary() {
			return new HikariDataSource();
		}

	}

	/**
	 * Routes to the primary server in transactions that can write, and otherwise,
	 * including without a transaction, to the replica.
	 */
	static class ReadWriteDataSource extends AbstractRoutingDataSource {

		ReadWriteDataSource(DataSource primary, DataSource replica) {
			setTargetDataSources(Map.of("primary", primary, "replica", replica));
		}

		@Override
		protected Object determineCurrentLookupKey() {
			boolean mayWrite = TransactionSynchronizationManager.isActualTransactionActive()
					&& !TransactionSynchronizationManager.isCurrentTransactionReadOnly();
			return mayWrite ? "primary" : "replica";
		}

	}

}
