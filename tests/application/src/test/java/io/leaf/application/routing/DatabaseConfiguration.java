// SPDX-License-Identifier: Apache-2.0

package io.leaf.application.routing;

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

@Configuration(proxyBeanMethods = false)
@Profile("!unmarked")
class DatabaseConfiguration {

	// from docs/operations.md
	@Bean
	@LeafDataSource
	@ConfigurationProperties("shop.primary")
	HikariDataSource primary() {
		return new HikariDataSource();
	}
	// end of docs/operations.md

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

}
