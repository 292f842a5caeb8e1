// SPDX-License-Identifier: Apache-2.0

package io.leaf.autoconfigure.segment;

import io.leaf.IdGenerator;
import io.leaf.actuate.StoreObservations;
import io.leaf.autoconfigure.datasource.ConnectionSource;
import io.leaf.autoconfigure.datasource.LeafDatabaseConfiguration;
import io.leaf.autoconfigure.properties.BeanSelection;
import io.leaf.autoconfigure.properties.IdFormatsConfiguration;
import io.leaf.autoconfigure.properties.LeafProperties;
import io.leaf.autoconfigure.properties.LeafSegmentProperties;
import io.leaf.segment.SegmentIdGenerator;
import io.leaf.segment.SegmentStore;
import io.leaf.segment.jdbc.JdbcSegmentStore;
import io.leaf.text.IdFormats;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.jdbc.init.DataSourceScriptDatabaseInitializer;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;

/**
 * Auto-configuration of segment mode.
 */
@AutoConfiguration(
		afterName = { "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration",
				"org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration",
				"org.springframework.boot.jdbc.autoconfigure.XADataSourceAutoConfiguration",
				"org.springframework.boot.autoconfigure.jdbc.XADataSourceAutoConfiguration" },
		// Leaf's table must exist before Spring Boot runs the application's scripts,
		// because a script such as data.sql may insert rows into it
		beforeName = { "org.springframework.boot.jdbc.autoconfigure.DataSourceInitializationAutoConfiguration",
				"org.springframework.boot.autoconfigure.sql.init.SqlInitializationAutoConfiguration" })
@ConditionalOnMissingBean(IdGenerator.class)
@Conditional(OnSegmentModeCondition.class)
@EnableConfigurationProperties({ LeafProperties.class, LeafSegmentProperties.class })
@Import({ ServerStoreConfigurations.Server.class, ServerStoreConfigurations.MissingClient.class, ClosingOrder.class,
		IdFormatsConfiguration.class })
public final class LeafSegmentAutoConfiguration {

	@Bean(initMethod = "start")
	SegmentIdGenerator leafSegmentIdGenerator(LeafSegmentProperties properties, LeafProperties common,
			SegmentStore store, IdFormats formats, ObjectProvider<StoreObservations> observations) {
		BeanSelection.require("leaf.segment.enabled", true, !Boolean.FALSE.equals(properties.enabled()));
		StoreObservations observing = observations.getIfAvailable();
		return new SegmentIdGenerator((observing != null) ? observing.observe(store) : store,
				properties.settings(common.segmentKeys(properties.maxDrift())), formats);
	}

	/**
	 * Configures the store that allocates segments in a database.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnSegmentSource(LeafSegmentProperties.Source.JDBC)
	@ConditionalOnClass({ JdbcTemplate.class, JdbcTransactionManager.class, DataSourceScriptDatabaseInitializer.class })
	@ConditionalOnMissingBean(SegmentStore.class)
	@Import(LeafDatabaseConfiguration.class)
	static class JdbcStoreConfiguration {

		@Bean
		@DependsOnDatabaseInitialization
		JdbcSegmentStore leafSegmentStore(ConnectionSource dataSource, LeafSegmentProperties properties) {
			BeanSelection.require("leaf.segment.source", LeafSegmentProperties.Source.JDBC, properties.source());
			return new JdbcSegmentStore(dataSource.dataSource(), properties.tableName(), properties.failoverGap());
		}

	}

}
