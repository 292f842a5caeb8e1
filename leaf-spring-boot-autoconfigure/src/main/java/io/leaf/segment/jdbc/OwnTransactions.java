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

import java.util.function.Function;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;

import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionException;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.DefaultTransactionDefinition;

/**
 * Runs a store's statements on a connection and in a transaction of their own, also
 * inside a transaction of the caller, JPA's included.
 * <p>
 * For Leaf's own stores. Safe for use by any number of threads.
 */
public final class OwnTransactions {

	private final DefaultTransactionDefinition definition = new DefaultTransactionDefinition(
			TransactionDefinition.PROPAGATION_REQUIRES_NEW);

	private final JdbcTemplate jdbc;

	private final JdbcTransactionManager transactions;

	private final JdbcFailures failures;

	/**
	 * Prepares transactions.
	 * @param dataSource where they are
	 * @param failures translates what goes wrong in them
	 */
	public OwnTransactions(DataSource dataSource, JdbcFailures failures) {
		// Spring binds a transaction's connection to its thread under the DataSource
		// object. JPA binds the caller's under the application's. With that very object,
		// we would find it, take it for ours, and commit the caller's work. The wrapper
		// is an object that nobody else has.
		DataSource own = new DelegatingDataSource(dataSource);
		this.jdbc = new JdbcTemplate(own);
		this.transactions = new JdbcTransactionManager(own);
		this.failures = failures;
	}

	/**
	 * Prepares transactions whose statements give up waiting, for a row that somebody has
	 * locked and not let go of, for instance.
	 * @param dataSource where they are
	 * @param failures translates what goes wrong in them
	 * @param statementTimeout how long a statement may take, in seconds
	 */
	public OwnTransactions(DataSource dataSource, JdbcFailures failures, int statementTimeout) {
		this(dataSource, failures);
		this.jdbc.setQueryTimeout(statementTimeout);
	}

	/**
	 * Prepares transactions that see nothing of what others have not committed, where
	 * that is not so by default.
	 * @param dataSource where they are
	 * @param failures translates what goes wrong in them
	 * @param statementTimeout how long a statement may take, in seconds
	 * @param isolation the isolation level, one of {@link TransactionDefinition}
	 */
	public OwnTransactions(DataSource dataSource, JdbcFailures failures, int statementTimeout, int isolation) {
		this(dataSource, failures, statementTimeout);
		this.definition.setIsolationLevel(isolation);
	}

	/**
	 * Runs statements and commits them; or rolls back, if this throws anything. What
	 * Spring throws is translated. Where that happens at the commit, whether it has taken
	 * effect is unknown.
	 * @param <T> the type of the result
	 * @param work runs the statements
	 * @return what the work returned
	 */
	public <T> @Nullable T execute(Function<JdbcTemplate, @Nullable T> work) {
		try {
			TransactionStatus transaction = this.transactions.getTransaction(this.definition);
			T result;
			try {
				result = work.apply(this.jdbc);
			}
			catch (RuntimeException | Error ex) {
				rollback(transaction, ex);
				throw ex;
			}
			this.transactions.commit(transaction);
			return result;
		}
		catch (DataAccessException | TransactionException ex) {
			throw this.failures.translate(ex);
		}
	}

	// TransactionTemplate would log an error wherever a connection breaks
	private void rollback(TransactionStatus transaction, Throwable reason) {
		try {
			this.transactions.rollback(transaction);
		}
		catch (TransactionException ex) {
			reason.addSuppressed(ex);
		}
	}

}
