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

import java.util.Collection;
import java.util.List;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.boot.sql.init.dependency.DatabaseInitializationDependencyConfigurer;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/**
 * Leaf's connections to the database and its tables there, for whichever mode keeps
 * something in it.
 */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(LeafSegmentProperties.class)
@Import({ DatabaseInitializationDependencyConfigurer.class,
		LeafDatabaseConfiguration.ConnectionDetailsConfiguration.class })
class LeafDatabaseConfiguration {

	@Bean
	SegmentDataSource leafSegmentDataSource(LeafSegmentProperties properties, ApplicationContext context,
			ObjectProvider<ApplicationDatabase> applicationDatabase,
			@LeafDataSource ObjectProvider<DataSource> qualified) {
		return new SegmentDataSourceSelector(properties.datasource(), context, applicationDatabase)
			.select(only(qualified));
	}

	private static @Nullable DataSource only(ObjectProvider<DataSource> qualified) {
		try {
			return qualified.getIfAvailable();
		}
		catch (NoUniqueBeanDefinitionException ex) {
			Collection<String> names = (ex.getBeanNamesFound() != null) ? ex.getBeanNamesFound() : List.of();
			throw new LeafStartupException(
					"Several DataSource beans are qualified with @LeafDataSource: %s. Leaf's tables are in one database."
						.formatted(String.join(", ", names)),
					"Leave @LeafDataSource on the bean of the database that holds Leaf's tables, and remove it from the others.",
					ex);
		}
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
