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

package io.leaf.application.routing;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import io.leaf.autoconfigure.LeafDataSource;

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
