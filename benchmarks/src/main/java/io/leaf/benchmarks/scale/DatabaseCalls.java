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
 * Counts what goes to the database: connections opened, statements, and the ends of
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
		// counted when it is done
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
	 * Returns how many there were of each kind, for the kinds that there were.
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
