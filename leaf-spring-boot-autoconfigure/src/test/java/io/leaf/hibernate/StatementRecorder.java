// SPDX-License-Identifier: Apache-2.0

package io.leaf.hibernate;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import javax.sql.DataSource;

import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/**
 * Records the statements of every {@link DataSource} bean: one element per round trip to
 * the database; a batch is one round trip.
 */
class StatementRecorder implements BeanPostProcessor {

	private final List<Execution> executions = new CopyOnWriteArrayList<>();

	@Override
	public Object postProcessAfterInitialization(Object bean, String beanName) {
		return (bean instanceof DataSource dataSource) ? new RecordingDataSource(dataSource) : bean;
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

	private Connection record(Connection connection) {
		return proxy(Connection.class, (proxy, method, arguments) -> {
			Object result = invoke(connection, method, arguments);
			if (result instanceof CallableStatement) {
				throw new UnsupportedOperationException("Calls are not recorded");
			}
			if (result instanceof PreparedStatement statement) {
				return proxy(PreparedStatement.class, new StatementHandler(statement, (String) arguments[0]));
			}
			if (result instanceof Statement statement) {
				return proxy(Statement.class, new StatementHandler(statement, null));
			}
			return result;
		});
	}

	private static <T> T proxy(Class<T> type, InvocationHandler handler) {
		return type
			.cast(Proxy.newProxyInstance(StatementRecorder.class.getClassLoader(), new Class<?>[] { type }, handler));
	}

	private static Object invoke(Object target, Method method, Object[] arguments) throws Throwable {
		try {
			return method.invoke(target, arguments);
		}
		catch (InvocationTargetException ex) {
			throw ex.getTargetException();
		}
	}

	/**
	 * One round trip.
	 *
	 * @param sql the statement
	 * @param batchSize how often it was executed, or 0 if it was not a batch
	 */
	record Execution(String sql, int batchSize) {
	}

	private final class StatementHandler implements InvocationHandler {

		private final Statement statement;

		private final String preparedSql;

		private String lastBatchSql;

		private int batchSize;

		StatementHandler(Statement statement, String preparedSql) {
			this.statement = statement;
			this.preparedSql = preparedSql;
		}

		@Override
		public Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
			String sql = (arguments != null && arguments[0] instanceof String given) ? given : this.preparedSql;
			switch (method.getName()) {
				case "addBatch" -> {
					this.lastBatchSql = sql;
					this.batchSize++;
				}
				case "executeBatch", "executeLargeBatch" -> {
					StatementRecorder.this.executions.add(new Execution(this.lastBatchSql, this.batchSize));
					this.batchSize = 0;
				}
				case "execute", "executeQuery", "executeUpdate", "executeLargeUpdate" ->
					StatementRecorder.this.executions.add(new Execution(sql, 0));
				default -> {
				}
			}
			return StatementRecorder.invoke(this.statement, method, arguments);
		}

	}

	private final class RecordingDataSource extends DelegatingDataSource {

		RecordingDataSource(DataSource target) {
			super(target);
		}

		@Override
		public Connection getConnection() throws SQLException {
			return record(super.getConnection());
		}

		@Override
		public Connection getConnection(String username, String password) throws SQLException {
			return record(super.getConnection(username, password));
		}

	}

}
