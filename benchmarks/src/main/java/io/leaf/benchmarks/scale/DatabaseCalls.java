// SPDX-License-Identifier: Apache-2.0

package io.leaf.benchmarks.scale;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

import javax.sql.DataSource;

import net.ttddyy.dsproxy.listener.MethodExecutionContext;
import net.ttddyy.dsproxy.listener.MethodExecutionListener;
import net.ttddyy.dsproxy.support.ProxyDataSourceBuilder;

/**
 * Counts the calls of the JDBC driver: connections opened, statements, and ends of
 * transactions.
 */
final class DatabaseCalls implements MethodExecutionListener {

	private final Map<String, LongAdder> counts = new ConcurrentHashMap<>();

	/**
	 * Returns a {@code DataSource} whose connections are counted here.
	 */
	DataSource of(DataSource dataSource) {
		return ProxyDataSourceBuilder.create(dataSource).methodListener(this).build();
	}

	@Override
	public void beforeMethod(MethodExecutionContext context) {
		// a call is counted after it has returned
	}

	@Override
	public void afterMethod(MethodExecutionContext context) {
		String method = context.getMethod().getName();
		String kind = switch (method) {
			case "getConnection" -> (context.getTarget() instanceof DataSource) ? "connections" : "";
			case "executeQuery" -> "queries";
			case "executeUpdate" -> "updates";
			case "commit" -> "commits";
			case "execute", "executeBatch", "executeLargeUpdate", "executeLargeBatch", "isValid", "rollback" ->
				"others";
			default -> "";
		};
		if (!kind.isEmpty()) {
			this.counts.computeIfAbsent(kind, (key) -> new LongAdder()).increment();
		}
	}

	/**
	 * Returns the number of calls of each kind, without kinds that have not occurred.
	 */
	Map<String, Long> counts() {
		Map<String, Long> counts = new TreeMap<>();
		this.counts.forEach((kind, count) -> counts.put(kind, count.sum()));
		return counts;
	}

	long count(String kind) {
		return counts().getOrDefault(kind, 0L);
	}

}
