/*
 * Copyright 2026 the Leaf project authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *      https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */

package io.leaf.segment.jdbc;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import javax.sql.DataSource;

import org.springframework.jdbc.datasource.DelegatingDataSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Holds its user up as soon as the database has executed an update: as if the process
 * were paused there.
 */
final class PausingDataSource extends DelegatingDataSource implements AutoCloseable {

	private final CountDownLatch updated = new CountDownLatch(1);

	private final CountDownLatch goOn = new CountDownLatch(1);

	PausingDataSource(DataSource target) {
		super(target);
	}

	void awaitUpdate() throws InterruptedException {
		assertThat(this.updated.await(30, TimeUnit.SECONDS)).isTrue();
	}

	void goOn() {
		this.goOn.countDown();
	}

	@Override
	public void close() {
		goOn();
	}

	@Override
	public Connection getConnection() throws SQLException {
		return (Connection) pausing(Connection.class, super.getConnection());
	}

	private Object pausing(Class<?> type, Object target) {
		return Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] { type }, (proxy, method, arguments) -> {
			Object result;
			try {
				result = method.invoke(target, arguments);
			}
			catch (InvocationTargetException ex) {
				throw ex.getCause();
			}
			if (method.getName().equals("executeUpdate")) {
				this.updated.countDown();
				this.goOn.await(60, TimeUnit.SECONDS);
			}
			return (result instanceof PreparedStatement) ? pausing(PreparedStatement.class, result) : result;
		});
	}

}
