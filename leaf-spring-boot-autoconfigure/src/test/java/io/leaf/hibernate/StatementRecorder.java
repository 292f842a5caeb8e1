// SPDX-License-Identifier: Apache-2.0

package io.leaf.hibernate;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import javax.sql.DataSource;

import net.ttddyy.dsproxy.ExecutionInfo;
import net.ttddyy.dsproxy.QueryInfo;
import net.ttddyy.dsproxy.support.ProxyDataSourceBuilder;

import org.springframework.beans.factory.config.BeanPostProcessor;

/**
 * Records the statements of every {@link DataSource} bean: one element per round trip to
 * the database; a batch is one round trip.
 */
class StatementRecorder implements BeanPostProcessor {

	private final List<Execution> executions = new CopyOnWriteArrayList<>();

	@Override
	public Object postProcessAfterInitialization(Object bean, String beanName) {
		return (bean instanceof DataSource dataSource)
				? ProxyDataSourceBuilder.create(dataSource).beforeQuery(this::record).build() : bean;
	}

	private void record(ExecutionInfo execution, List<QueryInfo> queries) {
		String last = queries.get(queries.size() - 1).getQuery();
		this.executions.add(new Execution(last, execution.isBatch() ? execution.getBatchSize() : 0));
	}

	void clear() {
		this.executions.clear();
	}

	List<Execution> executions() {
		return List.copyOf(this.executions);
	}

	/**
	 * Returns the first word of each statement executed.
	 */
	List<String> verbs() {
		return this.executions.stream().map((execution) -> execution.sql().split(" ")[0]).toList();
	}

	/**
	 * One round trip.
	 *
	 * @param sql the statement
	 * @param batchSize how often it was executed, or 0 if it was not a batch
	 */
	record Execution(String sql, int batchSize) {
	}

}
