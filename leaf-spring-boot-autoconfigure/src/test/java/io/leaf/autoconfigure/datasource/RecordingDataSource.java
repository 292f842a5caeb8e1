// SPDX-License-Identifier: Apache-2.0

package io.leaf.autoconfigure.datasource;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

import io.leaf.autoconfigure.MemoryDatabase;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/**
 * Records the requests on its connections: {@code connect}, {@code commit}, {@code
 * rollback}, and the first word of each statement.
 */
public final class RecordingDataSource extends DriverManagerDataSource {

	private static final Set<String> NOTED = Set.of("commit", "rollback", "setTransactionIsolation");

	private final BlockingQueue<String> calls = new LinkedBlockingQueue<>();

	public RecordingDataSource(String url) {
		super(url, MemoryDatabase.USERNAME, "");
	}

	/**
	 * Returns the requests since the last call.
	 */
	public List<String> calls() {
		List<String> calls = new ArrayList<>();
		this.calls.drainTo(calls);
		return calls;
	}

	@Override
	public Connection getConnection() throws SQLException {
		return record(super.getConnection());
	}

	@Override
	public Connection getConnection(String username, String password) throws SQLException {
		return record(super.getConnection(username, password));
	}

	private Connection record(Connection connection) {
		this.calls.add("connect");
		return (Connection) proxy(Connection.class, connection, "");
	}

	private Object proxy(Class<?> type, Object target, String prepared) {
		return Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] { type }, (proxy, method, arguments) -> {
			Object first = (arguments != null && arguments.length > 0) ? arguments[0] : null;
			String sql = (first instanceof String text) ? text : prepared;
			if (method.getName().startsWith("execute")) {
				this.calls.add(sql.split(" ")[0]);
			}
			else if (NOTED.contains(method.getName())) {
				this.calls.add(method.getName());
			}
			try {
				Object result = method.invoke(target, arguments);
				return (result instanceof Statement) ? proxy(method.getReturnType(), result, sql) : result;
			}
			catch (InvocationTargetException ex) {
				throw ex.getCause();
			}
		});
	}

}
