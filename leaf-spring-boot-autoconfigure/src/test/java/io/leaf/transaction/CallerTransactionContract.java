// SPDX-License-Identifier: Apache-2.0

package io.leaf.transaction;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import javax.sql.DataSource;

import io.leaf.IdGenerator;
import io.leaf.autoconfigure.segment.LeafSegmentAutoConfiguration;
import io.leaf.jdbc.TableName;
import io.leaf.segment.SegmentStore;
import io.leaf.segment.jdbc.JdbcSegmentStore;
import io.leaf.snowflake.SnowflakeLayout;
import io.leaf.snowflake.lease.Lease;
import io.leaf.snowflake.lease.TestLeases;
import io.leaf.snowflake.lease.WorkerLeaseStore;
import io.leaf.snowflake.lease.jdbc.JdbcWorkerLeaseStore;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcTemplateAutoConfiguration;
import org.springframework.boot.persistence.autoconfigure.EntityScan;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.orm.jpa.EntityManagerFactoryUtils;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that Leaf is independent of the caller's transaction: Leaf does not commit it, is
 * not rolled back with it, does not wait for it, and needs no connection of its pool.
 * Every test begins with an empty buffer, so that the ID requested inside the transaction
 * needs a segment.
 */
public abstract class CallerTransactionContract {

	private final ApplicationContextRunner application = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(DataSourceAutoConfiguration.class, JdbcTemplateAutoConfiguration.class,
				HibernateJpaAutoConfiguration.class, TransactionAutoConfiguration.class,
				LeafSegmentAutoConfiguration.class))
		.withUserConfiguration(Entities.class)
		.withPropertyValues("spring.jpa.hibernate.ddl-auto=none", "spring.datasource.hikari.maximum-pool-size=2",
				"spring.datasource.hikari.connection-timeout=1000", "leaf.segment.initialize-schema=never",
				"leaf.segment.acquire-timeout=10s");

	/**
	 * Returns the properties {@code spring.datasource.url}, {@code .username} and
	 * {@code .password} of the database to test on, which this test may change in any
	 * way.
	 */
	protected abstract String[] database();

	@BeforeEach
	void createTables() {
		run((context) -> {
			JdbcTemplate jdbc = context.getBean(JdbcTemplate.class);
			jdbc.execute("DROP TABLE IF EXISTS leaf_alloc");
			jdbc.execute("DROP TABLE IF EXISTS outer_row");
			jdbc.execute(
					"CREATE TABLE leaf_alloc (biz_tag VARCHAR(128) PRIMARY KEY, max_id BIGINT NOT NULL, step INT NOT NULL)");
			jdbc.execute("CREATE TABLE outer_row (id BIGINT PRIMARY KEY)");
			jdbc.execute("DROP TABLE IF EXISTS leaf_worker");
			jdbc.execute("CREATE TABLE leaf_worker (name VARCHAR(128), worker_id BIGINT, version BIGINT, "
					+ "owner VARCHAR(64), horizon BIGINT, host VARCHAR(300), since BIGINT, reported BIGINT, "
					+ "stored_at BIGINT, layout VARCHAR(100), PRIMARY KEY (name, worker_id))");
			jdbc.update("INSERT INTO leaf_alloc (biz_tag, max_id, step) VALUES ('order', 1, 10)");
		}, "leaf.segment.enabled=false");
	}

	private void run(Consumer<ApplicationContext> test, String... properties) {
		this.application.withPropertyValues(database()).withPropertyValues(properties).run((context) -> {
			assertThat(context).hasNotFailed();
			test.accept(context.getSourceApplicationContext());
		});
	}

	private static long outerRows(ApplicationContext context) {
		return rows(context, "SELECT COUNT(*) FROM outer_row");
	}

	private static long maxId(ApplicationContext context) {
		return rows(context, "SELECT max_id FROM leaf_alloc WHERE biz_tag = 'order'");
	}

	private static long rows(ApplicationContext context, String query) {
		Long value = context.getBean(JdbcTemplate.class).queryForObject(query, Long.class);
		assertThat(value).isNotNull();
		return value;
	}

	private static void inTransaction(PlatformTransactionManager transactionManager, Runnable work) {
		new TransactionTemplate(transactionManager).executeWithoutResult((status) -> {
			work.run();
			status.setRollbackOnly();
		});
	}

	@Test
	void aSecondTransactionManagerOnTheSameDataSourceCommitsTheCallersWork() {
		// This does not use Leaf. It shows that the tests below would detect such a
		// commit.
		run((context) -> {
			DataSource dataSource = context.getBean(DataSource.class);
			TransactionTemplate own = new TransactionTemplate(new JdbcTransactionManager(dataSource));
			own.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
			TransactionKind.JPA.run(context, () -> own.executeWithoutResult((status) -> new JdbcTemplate(dataSource)
				.update("UPDATE leaf_alloc SET max_id = max_id + 10 WHERE biz_tag = 'order'")));
			assertThat(outerRows(context)).isEqualTo(1);
		});
	}

	@ParameterizedTest
	@EnumSource
	void generator_isIndependentOfTheCallersTransaction(TransactionKind kind) {
		run((context) -> {
			IdGenerator generator = context.getBean(IdGenerator.class);
			kind.run(context, () -> assertThat(generator.nextId("order")).isEqualTo(1));
			assertThat(outerRows(context)).isZero();
			assertThat(maxId(context)).isEqualTo(11);
		});
	}

	@ParameterizedTest
	@EnumSource
	void store_onTheApplicationsDataSourceAndTheCallersThreadIsIndependentOfTheTransaction(TransactionKind kind) {
		run((context) -> {
			SegmentStore store = new JdbcSegmentStore(context.getBean(DataSource.class), new TableName("leaf_alloc"));
			kind.run(context, () -> assertThat(store.allocate("order", 10, 0, Duration.ofSeconds(1))).isNotNull());
			assertThat(outerRows(context)).isZero();
			assertThat(maxId(context)).isEqualTo(11);
		});
	}

	@Test
	void leaseStore_onTheApplicationsDataSourceAndTheCallersThreadIsIndependentOfTheTransaction() {
		run((context) -> {
			WorkerLeaseStore store = new JdbcWorkerLeaseStore(context.getBean(DataSource.class), null,
					new TableName("leaf_worker"), "orders");
			TransactionKind.JPA.run(context, () -> {
				store.open(SnowflakeLayout.LEAF);
				Lease lease = TestLeases.lease("owner", 2, "10.0.0.1:8080", 1, 1);
				assertThat(store.write(0, WorkerLeaseStore.ABSENT, lease)).isTrue();
			});
			assertThat(outerRows(context)).isZero();
			assertThat(store.read(0)).isNotNull();
		});
	}

	@Test
	void aRollbackReturnsNoNumber() {
		run((context) -> {
			IdGenerator generator = context.getBean(IdGenerator.class);
			List<Long> ids = new ArrayList<>();
			for (int i = 0; i < 5; i++) {
				TransactionKind.JPA.run(context, () -> {
					for (long id : generator.nextIds("order", 7)) {
						ids.add(id);
					}
				});
			}
			assertThat(ids).doesNotHaveDuplicates().isSorted().hasSize(35);
			assertThat(maxId(context)).isGreaterThan(35);
		});
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 2, 10 })
	void callersThatHoldEveryConnectionGetTheirSegments(int poolSize) {
		run((context) -> {
			IdGenerator generator = context.getBean(IdGenerator.class);
			for (int i = 0; i < poolSize; i++) {
				context.getBean(JdbcTemplate.class)
					.update("INSERT INTO leaf_alloc (biz_tag, max_id, step) VALUES (?, 1, 10)", "key" + i);
			}
			CyclicBarrier allHoldAConnection = new CyclicBarrier(poolSize);
			List<Callable<Long>> callers = new ArrayList<>();
			for (int i = 0; i < poolSize; i++) {
				String own = "key" + i;
				callers.add(() -> {
					long[] ids = new long[2];
					TransactionTemplate transaction = new TransactionTemplate(
							context.getBean(PlatformTransactionManager.class));
					transaction.executeWithoutResult((status) -> {
						rows(context, "SELECT COUNT(*) FROM outer_row");
						await(allHoldAConnection);
						ids[0] = generator.nextId(own);
						ids[1] = generator.nextId("order");
					});
					assertThat(ids[0]).isEqualTo(1);
					return ids[1];
				});
			}
			assertThat(callAll(callers)).doesNotHaveDuplicates().hasSize(poolSize);
		}, "spring.datasource.hikari.maximum-pool-size=" + poolSize);
	}

	private static void await(CyclicBarrier barrier) {
		try {
			barrier.await(10, TimeUnit.SECONDS);
		}
		catch (Exception ex) {
			throw new AssertionError("Not every caller got a connection", ex);
		}
	}

	private static List<Long> callAll(List<Callable<Long>> callers) {
		ExecutorService executor = Executors.newFixedThreadPool(callers.size());
		try {
			List<Long> ids = new ArrayList<>();
			for (Future<Long> result : executor.invokeAll(callers, 30, TimeUnit.SECONDS)) {
				ids.add(result.get());
			}
			return ids;
		}
		catch (Exception ex) {
			throw new AssertionError("Not every caller has finished", ex);
		}
		finally {
			executor.shutdownNow();
		}
	}

	enum TransactionKind {

		JPA {
			@Override
			void run(ApplicationContext context, Runnable work) {
				EntityManagerFactory factory = context.getBean(EntityManagerFactory.class);
				inTransaction(context.getBean(PlatformTransactionManager.class), () -> {
					EntityManager entityManager = EntityManagerFactoryUtils.getTransactionalEntityManager(factory);
					assertThat(entityManager).isNotNull();
					entityManager.persist(new OuterRow(1));
					entityManager.flush();
					work.run();
				});
			}
		},

		JDBC {
			@Override
			void run(ApplicationContext context, Runnable work) {
				inTransaction(new JdbcTransactionManager(context.getBean(DataSource.class)), () -> {
					context.getBean(JdbcTemplate.class).update("INSERT INTO outer_row (id) VALUES (1)");
					work.run();
				});
			}
		};

		/**
		 * Inserts a row in a transaction, does the work in it, and rolls it back.
		 */
		abstract void run(ApplicationContext context, Runnable work);

	}

	@Configuration(proxyBeanMethods = false)
	@EntityScan(basePackageClasses = OuterRow.class)
	static class Entities {

	}

	/**
	 * The row that a caller writes in its own transaction.
	 */
	@Entity
	@Table(name = "outer_row")
	static class OuterRow {

		@Id
		private long id;

		OuterRow() {
		}

		OuterRow(long id) {
			this.id = id;
		}

	}

}
