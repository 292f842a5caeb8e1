// SPDX-License-Identifier: Apache-2.0

package io.leaf.benchmarks.orders;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;

import io.leaf.benchmarks.Threads;
import io.leaf.test.server.DatabaseServer;
import io.leaf.test.server.JdbcUrls;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.criteria.CriteriaQuery;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.orm.jpa.SharedEntityManagerCreator;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * A Spring Boot application that inserts orders, several per transaction, from several
 * threads.
 */
final class OrdersApplication implements AutoCloseable {

	static final String SNOWFLAKE_KEY = "order-snowflake";

	static final int ORDERS_PER_TRANSACTION = 100;

	private static final int THREADS = 4;

	private final boolean postgreSql;

	private final ConfigurableApplicationContext context;

	private final EntityManager entities;

	private final TransactionTemplate transaction;

	private final JdbcTemplate jdbc;

	/**
	 * Starts the application on a new database of a server.
	 */
	OrdersApplication(DatabaseServer server) {
		this.postgreSql = server.product().startsWith("PostgreSQL ");
		this.context = new SpringApplicationBuilder(Configuration.class).web(WebApplicationType.NONE)
			.properties(properties(server))
			.run();
		this.entities = SharedEntityManagerCreator
			.createSharedEntityManager(this.context.getBean(EntityManagerFactory.class));
		this.transaction = new TransactionTemplate(this.context.getBean(PlatformTransactionManager.class));
		this.jdbc = this.context.getBean(JdbcTemplate.class);
	}

	private Map<String, Object> properties(DatabaseServer server) {
		String url = server.createDatabase("orders");
		url = this.postgreSql ? url(url, "reWriteBatchedInserts", RoundTrips.PostgreSqlSockets.class)
				: url(url, "rewriteBatchedStatements", RoundTrips.MySqlSockets.class);
		return Map.ofEntries(Map.entry("spring.application.name", "orders"),
				Map.entry("spring.main.banner-mode", "off"), Map.entry("logging.level.root", "warn"),
				Map.entry("spring.datasource.url", url), Map.entry("spring.datasource.username", server.username()),
				Map.entry("spring.datasource.password", server.password()),
				Map.entry("spring.jpa.hibernate.ddl-auto", "create"),
				Map.entry("spring.jpa.properties.hibernate.jdbc.batch_size", 50),
				Map.entry("spring.jpa.properties.hibernate.order_inserts", true),
				Map.entry("leaf.segment.initialize-schema", "always"),
				Map.entry("leaf.segment.auto-create.enabled", true), Map.entry("leaf.snowflake.enabled", true),
				Map.entry("leaf.snowflake.worker.source", "jdbc"),
				Map.entry("leaf.snowflake.state-dir", "target/orders-state"),
				Map.entry("leaf.keys.%s.mode".formatted(SNOWFLAKE_KEY), "snowflake"));
	}

	private static String url(String url, String rewriting, Class<?> sockets) {
		return JdbcUrls.with(JdbcUrls.with(url, rewriting, "true"), "socketFactory", sockets.getName());
	}

	List<OrderIds> ids() {
		return OrderIds.of(this.postgreSql);
	}

	/**
	 * Inserts orders and then deletes them.
	 * @param ids the source of their IDs
	 * @param count the number of orders
	 * @return what was measured
	 * @throws IllegalStateException if the table does not hold exactly the orders that
	 * were inserted, each with its own ID
	 */
	OrderInserts.Result insert(OrderIds ids, int count) throws ExecutionException, InterruptedException {
		// otherwise collecting the garbage of one source would slow down the next one
		System.gc();
		AtomicInteger transactions = new AtomicInteger(count / ORDERS_PER_TRANSACTION);
		long roundTrips = RoundTrips.count();
		long begin = System.nanoTime();
		List<List<@Nullable Object>> issued = Threads.run(THREADS, (thread) -> insert(ids, transactions));
		double seconds = (System.nanoTime() - begin) / 1e9;
		roundTrips = RoundTrips.count() - roundTrips;
		check(ids, count, issued);
		OrderInserts.Result result = new OrderInserts.Result(count / seconds, roundTrips, indexBytes(ids),
				tableBytes(ids));
		this.jdbc.execute("TRUNCATE TABLE " + ids.table());
		return result;
	}

	private List<@Nullable Object> insert(OrderIds ids, AtomicInteger transactions) {
		List<@Nullable Object> issued = new ArrayList<>();
		while (transactions.getAndDecrement() > 0) {
			this.transaction.executeWithoutResult((status) -> {
				for (int i = 0; i < ORDERS_PER_TRANSACTION; i++) {
					Order order = ids.create();
					this.entities.persist(order);
					issued.add(order.id());
				}
			});
		}
		return issued;
	}

	private void check(OrderIds ids, int count, List<List<@Nullable Object>> issued) {
		Set<@Nullable Object> distinct = new HashSet<>();
		issued.forEach(distinct::addAll);
		CriteriaQuery<Object> query = this.entities.getCriteriaBuilder().createQuery(Object.class);
		query.select(query.from(ids.create().getClass()).get("id"));
		List<Object> stored = this.entities.createQuery(query).getResultList();
		if (distinct.size() != count || stored.size() != count || !distinct.containsAll(stored)) {
			throw new IllegalStateException("%s: %d orders with %d different IDs are stored as %d rows".formatted(ids,
					count, distinct.size(), stored.size()));
		}
	}

	private long indexBytes(OrderIds ids) {
		if (this.postgreSql) {
			return query("SELECT pg_indexes_size('%s')".formatted(ids.table()));
		}
		this.jdbc.execute("ANALYZE TABLE " + ids.table());
		return query("SELECT stat_value * @@innodb_page_size FROM mysql.innodb_index_stats WHERE database_name"
				+ " = DATABASE() AND table_name = '%s' AND index_name = 'PRIMARY' AND stat_name = 'size'"
					.formatted(ids.table()));
	}

	/**
	 * Returns the size of the table. In MySQL, the primary key index holds the rows.
	 */
	private long tableBytes(OrderIds ids) {
		return this.postgreSql ? query("SELECT pg_relation_size('%s')".formatted(ids.table())) : indexBytes(ids);
	}

	private long query(String sql) {
		Long value = this.jdbc.queryForObject(sql, Long.class);
		if (value == null) {
			throw new IllegalStateException("No result: " + sql);
		}
		return value;
	}

	@Override
	public void close() {
		this.context.close();
	}

	/**
	 * The application, whose entities are in this package.
	 */
	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Configuration {

	}

}
