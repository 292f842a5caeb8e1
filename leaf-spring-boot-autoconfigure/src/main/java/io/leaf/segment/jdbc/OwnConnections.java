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

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionDefinition;
import org.springframework.transaction.support.DefaultTransactionStatus;

/**
 * Runs a store's statements on a connection of their own, also inside a transaction of
 * the caller, JPA's included. Each statement commits itself: a process that is paused
 * between an update and its commit keeps all others from the row until it runs again.
 * <p>
 * For Leaf's own stores. Safe for use by any number of threads.
 */
public final class OwnConnections {

	private static final Logger logger = LoggerFactory.getLogger(OwnConnections.class);

	private final NoTransaction noTransaction = new NoTransaction();

	private final DefaultTransactionDefinition definition = new DefaultTransactionDefinition(
			TransactionDefinition.PROPAGATION_REQUIRES_NEW);

	private final JdbcTemplate jdbc;

	private final JdbcFailures failures;

	/**
	 * Prepares connections.
	 * @param dataSource where they come from
	 * @param failures translates what goes wrong on them
	 */
	public OwnConnections(DataSource dataSource, JdbcFailures failures) {
		// Spring binds a transaction's connection to its thread under the DataSource
		// object. JPA binds the caller's under the application's. With that very object,
		// we would find it, take it for ours, and commit the caller's work. The wrapper
		// is an object that nobody else has.
		this.jdbc = new JdbcTemplate(new DelegatingDataSource(dataSource));
		this.failures = failures;
	}

	/**
	 * Prepares connections whose statements give up waiting, for a row that somebody has
	 * locked and not let go of, for instance.
	 * @param dataSource where they come from
	 * @param failures translates what goes wrong on them
	 * @param statementTimeout how long a statement may take, in seconds
	 */
	public OwnConnections(DataSource dataSource, JdbcFailures failures, int statementTimeout) {
		this(dataSource, failures);
		this.jdbc.setQueryTimeout(statementTimeout);
	}

	/**
	 * Prepares connections whose statements see nothing of what others have not
	 * committed, where that is not so by default.
	 * @param dataSource where they come from
	 * @param failures translates what goes wrong on them
	 * @param statementTimeout how long a statement may take, in seconds
	 * @param isolation the isolation level, one of {@link TransactionDefinition}
	 */
	public OwnConnections(DataSource dataSource, JdbcFailures failures, int statementTimeout, int isolation) {
		this(dataSource, failures, statementTimeout);
		this.definition.setIsolationLevel(isolation);
	}

	/**
	 * Runs statements, all on one connection. What Spring throws is translated. Where a
	 * statement fails, those before it stay in effect, and whether it has taken effect
	 * itself is unknown.
	 * @param <T> the type of the result
	 * @param work runs the statements
	 * @return what the work returned
	 */
	public <T> @Nullable T execute(Function<JdbcTemplate, @Nullable T> work) {
		TransactionStatus callersIsSuspended = this.noTransaction.getTransaction(this.definition);
		try {
			ConnectionCallback<Optional<T>> callback = (connection) -> execute(connection, work);
			return Objects.requireNonNull(this.jdbc.execute(callback)).orElse(null);
		}
		catch (DataAccessException ex) {
			throw this.failures.translate(ex);
		}
		finally {
			this.noTransaction.commit(callersIsSuspended);
		}
	}

	// The template finds the connection again that is passed here.
	private <T> Optional<T> execute(Connection connection, Function<JdbcTemplate, @Nullable T> work)
			throws SQLException {
		boolean autoCommit = connection.getAutoCommit();
		if (!autoCommit) {
			connection.setAutoCommit(true);
		}
		Integer isolation = DataSourceUtils.prepareConnectionForTransaction(connection, this.definition);
		try {
			return Optional.ofNullable(work.apply(this.jdbc));
		}
		finally {
			// not every pool resets what it takes back
			DataSourceUtils.resetConnectionAfterTransaction(connection, isolation, false);
			if (!autoCommit) {
				commitNothingByItself(connection);
			}
		}
	}

	private static void commitNothingByItself(Connection connection) {
		try {
			connection.setAutoCommit(false);
		}
		catch (SQLException ex) {
			logger.debug("The connection is broken, and its pool will find out", ex);
		}
	}

	/**
	 * Does nothing with a database: its superclass puts the transaction of the calling
	 * thread aside, so that the template does not make our connection a part of it, and
	 * closes our connection at the end.
	 */
	private static final class NoTransaction extends AbstractPlatformTransactionManager {

		private static final long serialVersionUID = 1;

		@Override
		protected Object doGetTransaction() {
			return this;
		}

		@Override
		protected void doBegin(Object transaction, TransactionDefinition definition) {
		}

		@Override
		protected void doCommit(DefaultTransactionStatus status) {
		}

		@Override
		protected void doRollback(DefaultTransactionStatus status) {
		}

	}

}
