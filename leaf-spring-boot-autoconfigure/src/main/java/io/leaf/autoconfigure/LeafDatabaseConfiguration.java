// SPDX-License-Identifier: Apache-2.0

package io.leaf.autoconfigure;

import java.util.Map;

import javax.sql.DataSource;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.boot.sql.init.dependency.DatabaseInitializationDependencyConfigurer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/**
 * Leaf's connections to the database and its tables there, for whichever mode keeps
 * something in it.
 */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(LeafSegmentProperties.class)
@Import({ DatabaseInitializationDependencyConfigurer.class, TablesBeforeR2dbcScripts.class,
		LeafDatabaseConfiguration.ConnectionDetailsConfiguration.class })
class LeafDatabaseConfiguration {

	@Bean
	SegmentDataSource leafSegmentDataSource(LeafSegmentProperties properties, ConfigurableApplicationContext context,
			@LeafDataSource ObjectProvider<Map<String, DataSource>> qualified) {
		return new SegmentDataSourceSelector(properties.datasource(), context)
			.select(qualified.getIfAvailable(Map::of));
	}

	@Bean
	@ConditionalOnMissingBean
	LeafSegmentSchemaInitializer leafSegmentSchemaInitializer(SegmentDataSource dataSource,
			LeafSegmentProperties properties) {
		return new LeafSegmentSchemaInitializer(dataSource.dataSource(), properties.initializeSchema(),
				properties.tableName());
	}

	/**
	 * The connection details of Spring Boot 4; 3.5 has them in another package.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(JdbcConnectionDetails.class)
	@ConditionalOnSingleCandidate(JdbcConnectionDetails.class)
	static class ConnectionDetailsConfiguration {

		@Bean
		ApplicationDatabase leafApplicationDatabase(JdbcConnectionDetails details) {
			return new ApplicationDatabase(details.getJdbcUrl(), details.getUsername(), details.getPassword());
		}

	}

}
