// SPDX-License-Identifier: Apache-2.0

package io.leaf.application.twodatasources;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import io.leaf.application.twodatasources.ledger.Posting;
import io.leaf.autoconfigure.datasource.LeafDataSource;
import jakarta.persistence.EntityManagerFactory;

import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.jpa.EntityManagerFactoryBuilder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.jpa.repository.config.EnableJpaRepositories;
import org.springframework.orm.jpa.JpaTransactionManager;
import org.springframework.orm.jpa.LocalContainerEntityManagerFactoryBean;

@Configuration(proxyBeanMethods = false)
@EnableJpaRepositories(basePackageClasses = Posting.class, entityManagerFactoryRef = "ledgerEntityManagerFactory",
		transactionManagerRef = "ledgerTransactionManager")
class LedgerConfiguration {

	// from docs/operations.md
	@Bean(defaultCandidate = false)
	@LeafDataSource
	@ConfigurationProperties("ledger.datasource")
	HikariDataSource ledgerDataSource() {
		return new HikariDataSource();
	}
	// end of docs/operations.md

	// from docs/persistence.md
	@Bean(defaultCandidate = false)
	LocalContainerEntityManagerFactoryBean ledgerEntityManagerFactory(EntityManagerFactoryBuilder builder,
			@Qualifier("ledgerDataSource") DataSource dataSource) {
		return builder.dataSource(dataSource).packages(Posting.class).persistenceUnit("ledger").build();
	}
	// end of docs/persistence.md

	@Bean(defaultCandidate = false)
	JpaTransactionManager ledgerTransactionManager(
			@Qualifier("ledgerEntityManagerFactory") EntityManagerFactory entityManagers) {
		return new JpaTransactionManager(entityManagers);
	}

}
