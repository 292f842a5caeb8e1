// SPDX-License-Identifier: Apache-2.0

package io.leaf.autoconfigure.boot3;

import io.leaf.autoconfigure.datasource.ApplicationDatabase;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration;
import org.springframework.boot.autoconfigure.jdbc.JdbcConnectionDetails;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Lazy;

/**
 * Auto-configuration for Spring Boot 3 that gives Leaf the application's connection
 * details. On Spring Boot 4, where the type of the connection details is in another
 * package, {@code LeafDatabaseConfiguration} does this.
 */
@AutoConfiguration(after = DataSourceAutoConfiguration.class)
@ConditionalOnClass(JdbcConnectionDetails.class)
@ConditionalOnSingleCandidate(JdbcConnectionDetails.class)
public final class LeafDatabaseBoot3AutoConfiguration {

	@Bean
	@Lazy
	ApplicationDatabase leafApplicationDatabase(JdbcConnectionDetails details) {
		return new ApplicationDatabase(details::getJdbcUrl, details::getUsername, details::getPassword);
	}

}
