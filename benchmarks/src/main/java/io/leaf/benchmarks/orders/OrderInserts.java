// SPDX-License-Identifier: Apache-2.0

package io.leaf.benchmarks.orders;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

import io.leaf.benchmarks.Spread;
import io.leaf.benchmarks.report.Table;
import io.leaf.test.server.ControllableServer;
import io.leaf.test.server.DatabaseServer;
import io.leaf.test.server.Databases;

/**
 * How fast an application inserts orders by JPA, how many round trips that takes, and how
 * large their table becomes, by the source of the IDs. The sources take turns on the same
 * server, and every second round runs in reverse order.
 */
public final class OrderInserts {

	static final List<String> COLUMNS = List.of("database", "source of IDs", "orders per second", "spread",
			"against `IDENTITY`", "spread", "round trips", "primary key index, MB", "table, MB", "found");

	private OrderInserts() {
	}

	/**
	 * Measures on MySQL and PostgreSQL.
	 * @param rounds the number of rounds
	 * @param orders the number of orders per round and source
	 * @return the table
	 * @throws Exception if a database fails, an order is missing, or an ID was issued
	 * twice
	 */
	public static List<Table> measure(int rounds, int orders) throws Exception {
		List<List<String>> rows = new ArrayList<>();
		for (Supplier<ControllableServer> start : List.<Supplier<ControllableServer>>of(Databases::startDurableMysql,
				Databases::startDurablePostgresql)) {
			try (ControllableServer server = start.get()) {
				setDefaultSizes(server);
				rows.addAll(measure(server, rounds, orders));
			}
		}
		return List.of(new Table("orders", COLUMNS, rows));
	}

	/**
	 * Restores the defaults for the memory and the log of MySQL, which is started with
	 * less memory and a smaller log.
	 */
	private static void setDefaultSizes(DatabaseServer server) throws SQLException {
		if (server.product().startsWith("MySQL ")) {
			try (Connection connection = server.connect(server.jdbcUrl());
					Statement statement = connection.createStatement()) {
				statement.execute("SET GLOBAL innodb_redo_log_capacity = DEFAULT");
				statement.execute("SET GLOBAL innodb_buffer_pool_size = DEFAULT");
			}
		}
	}

	static List<List<String>> measure(DatabaseServer server, int rounds, int orders)
			throws ExecutionException, InterruptedException {
		if (orders <= 0 || orders % OrdersApplication.ORDERS_PER_TRANSACTION != 0) {
			throw new IllegalArgumentException("The number of orders must be a multiple of %d, and not %d"
				.formatted(OrdersApplication.ORDERS_PER_TRANSACTION, orders));
		}
		Map<OrderIds, List<Result>> results = new EnumMap<>(OrderIds.class);
		try (OrdersApplication application = new OrdersApplication(server)) {
			List<OrderIds> sources = new ArrayList<>(application.ids());
			// round 0 warms up and is not counted
			for (int round = 0; round <= rounds; round++) {
				for (OrderIds ids : sources) {
					Result result = application.insert(ids, orders);
					System.out.printf("orders, %s, round %d of %d, %s: %s%n", server.product(), round, rounds, ids,
							result);
					if (round > 0) {
						results.computeIfAbsent(ids, (key) -> new ArrayList<>()).add(result);
					}
				}
				Collections.reverse(sources);
			}
		}
		List<Double> baseline = values(results.getOrDefault(OrderIds.IDENTITY, List.of()), Result::perSecond);
		return results.entrySet()
			.stream()
			.map((entry) -> row(server.product(), entry.getKey(), entry.getValue(), baseline, orders))
			.toList();
	}

	private static List<String> row(String database, OrderIds ids, List<Result> results, List<Double> baseline,
			int orders) {
		Spread rate = Spread.of(values(results, Result::perSecond));
		Spread ratio = Spread.of(Spread.ratios(values(results, Result::perSecond), baseline));
		return List.of(database, ids.title(), Spread.format(rate.median(), 0), rate.range(0),
				Spread.format(ratio.median(), 2), ratio.range(2), median(results, Result::roundTrips, 0),
				median(results, (result) -> result.indexBytes() / 1e6, 1),
				median(results, (result) -> result.tableBytes() / 1e6, 1),
				Spread.format(orders, 0) + " IDs, no duplicate");
	}

	private static String median(List<Result> results, ToDoubleFunction<Result> value, int decimals) {
		return Spread.format(Spread.of(values(results, value)).median(), decimals);
	}

	private static List<Double> values(List<Result> results, ToDoubleFunction<Result> value) {
		return results.stream().map(value::applyAsDouble).toList();
	}

	/**
	 * The result of one round.
	 *
	 * @param perSecond the orders per second
	 * @param roundTrips the round trips of all connections
	 * @param indexBytes the size of the primary key index
	 * @param tableBytes the size of the table without other indexes
	 */
	record Result(double perSecond, long roundTrips, long indexBytes, long tableBytes) {

	}

}
