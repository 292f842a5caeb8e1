// SPDX-License-Identifier: Apache-2.0

package io.leaf.segment.jdbc;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.lang.reflect.UndeclaredThrowableException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

import javax.sql.DataSource;

import org.springframework.jdbc.datasource.DelegatingDataSource;

/**
 * Runs actions before each statement, and right before and right after each statement
 * that writes.
 */
public final class HookedDataSource extends DelegatingDataSource {

	private volatile Runnable before = () -> {
	};

	private volatile Runnable after = () -> {
	};

	private volatile Runnable beforeStatement = () -> {
	};

	private volatile boolean noKeys;

	private volatile String lastPrepared = "";

	public HookedDataSource(DataSource target) {
		super(target);
	}

	public void beforeStatements(Runnable before) {
		this.beforeStatement = before;
	}

	/**
	 * Makes answers contain no generated keys.
	 */
	public void returnNoKeys() {
		this.noKeys = true;
	}

	public void beforeWrites(Runnable before) {
		this.before = before;
	}

	public void afterWrites(Runnable after) {
		this.after = after;
	}

	/**
	 * Returns the statement that was prepared last.
	 */
	String lastPrepared() {
		return this.lastPrepared;
	}

	@Override
	public Connection getConnection() throws SQLException {
		return (Connection) hooked(Connection.class, super.getConnection());
	}

	private Object hooked(Class<?> type, Object target) {
		return Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] { type }, (proxy, method, arguments) -> {
			boolean execution = method.getName().startsWith("execute");
			boolean writes = execution
					&& (method.getName().equals("executeUpdate") || this.lastPrepared.contains("UPDATE "));
			if (execution) {
				this.beforeStatement.run();
			}
			if (writes) {
				try {
					this.before.run();
				}
				catch (UndeclaredThrowableException ex) {
					throw ex.getUndeclaredThrowable();
				}
			}
			if (method.getName().equals("prepareStatement")) {
				this.lastPrepared = (String) arguments[0];
			}
			if (this.noKeys && method.getName().equals("getGeneratedKeys")) {
				return ((PreparedStatement) target).getConnection()
					.prepareStatement("SELECT max_id FROM leaf_alloc WHERE 1 = 0")
					.executeQuery();
			}
			Object result;
			try {
				result = method.invoke(target, arguments);
			}
			catch (InvocationTargetException ex) {
				throw ex.getCause();
			}
			if (writes) {
				this.after.run();
			}
			return (result instanceof PreparedStatement) ? hooked(PreparedStatement.class, result) : result;
		});
	}

}
