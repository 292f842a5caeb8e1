// SPDX-License-Identifier: Apache-2.0

package io.leaf.application.routing;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;

import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.context.annotation.Profile;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;

/**
 * The same as {@link DatabaseConfiguration}, but without the qualifier that marks the
 * primary server for Leaf.
 */
@Configuration(proxyBeanMethods = false)
@Profile("unmarked")
class UnmarkedConfiguration {

	@Bean
	@ConfigurationProperties("shop.primary")
	HikariDataSource primary() {
		return new HikariDataSource();
	}

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
