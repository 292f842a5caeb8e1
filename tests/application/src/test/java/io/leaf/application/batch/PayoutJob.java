// SPDX-License-Identifier: Apache-2.0

package io.leaf.application.batch;

import java.math.BigDecimal;

import javax.sql.DataSource;

import io.leaf.IdGenerator;
import io.leaf.LeafId;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.Id;

import org.springframework.batch.core.job.Job;
import org.springframework.batch.core.job.builder.JobBuilder;
import org.springframework.batch.core.repository.JobRepository;
import org.springframework.batch.core.step.Step;
import org.springframework.batch.core.step.builder.StepBuilder;
import org.springframework.batch.infrastructure.item.ItemProcessor;
import org.springframework.batch.infrastructure.item.database.builder.JdbcBatchItemWriterBuilder;
import org.springframework.batch.infrastructure.item.database.builder.JdbcCursorItemReaderBuilder;
import org.springframework.batch.infrastructure.item.database.builder.JpaItemWriterBuilder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.namedparam.SimplePropertySqlParameterSource;
import org.springframework.transaction.PlatformTransactionManager;

@Configuration(proxyBeanMethods = false)
class PayoutJob {

	private static final int CHUNK = 4;

	@Bean
	Job job(JobRepository repository, Step payouts, Step letters) {
		return new JobBuilder("payouts", repository).start(payouts).next(letters).build();
	}

	// from docs/persistence.md
	@Bean
	ItemProcessor<Payout, Payout> numbering(IdGenerator ids) {
		return (payout) -> payout.withId(ids.nextId("payout"));
	}
	// end of docs/persistence.md

	@Bean
	Step payouts(JobRepository repository, PlatformTransactionManager transactions, DataSource dataSource,
			ItemProcessor<Payout, Payout> numbering) {
		return new StepBuilder("payouts", repository).<Payout, Payout>chunk(CHUNK)
			.transactionManager(transactions)
			.reader(new JdbcCursorItemReaderBuilder<Payout>().name("claims")
				.dataSource(dataSource)
				.sql("SELECT no, amount FROM claim ORDER BY no")
				.rowMapper((row, number) -> new Payout(null, row.getLong("no"), row.getBigDecimal("amount")))
				.build())
			.processor(numbering)
			.writer(new JdbcBatchItemWriterBuilder<Payout>().dataSource(dataSource)
				.sql("INSERT INTO payout (id, claim, amount) VALUES (:id, :claim, :amount)")
				.itemSqlParameterSourceProvider(SimplePropertySqlParameterSource::new)
				.build())
			.build();
	}

	@Bean
	Step letters(JobRepository repository, PlatformTransactionManager transactions, DataSource dataSource,
			EntityManagerFactory entityManagers) {
		return new StepBuilder("letters", repository).<Letter, Letter>chunk(CHUNK)
			.transactionManager(transactions)
			.reader(new JdbcCursorItemReaderBuilder<Letter>().name("payouts")
				.dataSource(dataSource)
				.sql("SELECT claim FROM payout ORDER BY claim")
				.rowMapper((row, number) -> new Letter(row.getLong("claim")))
				.build())
			.writer(new JpaItemWriterBuilder<Letter>().entityManagerFactory(entityManagers).build())
			.build();
	}

}

record Payout(Long id, long claim, BigDecimal amount) {

	Payout withId(long id) {
		return new Payout(id, this.claim, this.amount);
	}

}

@Entity
class Letter {

	@Id
	@LeafId
	private Long id;

	private Long claim;

	protected Letter() {
	}

	Letter(Long claim) {
		this.claim = claim;
	}

}
