// SPDX-License-Identifier: Apache-2.0

package io.leaf.autoconfigure.datasource;

import java.util.Map;

import javax.sql.DataSource;

import io.leaf.autoconfigure.properties.LeafSegmentProperties;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.sql.init.DatabaseInitializationMode;
import org.springframework.boot.sql.init.dependency.DatabaseInitializationDependencyConfigurer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/**
 * Configures Leaf's connections to the database and creates the tables in it. Used for
 * segment mode, for worker IDs from a table, or for both.
 */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(LeafSegmentProperties.class)
@Import({ DatabaseInitializationDependencyConfigurer.class, TablesBeforeR2dbcScripts.class })
public class LeafDatabaseConfiguration {

	@Bean
	ConnectionSource leafConnectionSource(LeafSegmentProperties properties, ConfigurableApplicationContext context,
			@LeafDataSource ObjectProvider<Map<String, DataSource>> qualified) {
		return new ConnectionSourceSelector(properties.datasource(), context).select(qualified.getIfAvailable(Map::of));
	}

	@Bean
	@ConditionalOnMissingBean
	LeafSchemaInitializer leafSchemaInitializer(ConnectionSource dataSource, LeafSegmentProperties properties) {
		return new LeafSchemaInitializer(dataSource.dataSource(),
				DatabaseInitializationMode.valueOf(properties.initializeSchema().name()), properties.tableName());
	}

}
