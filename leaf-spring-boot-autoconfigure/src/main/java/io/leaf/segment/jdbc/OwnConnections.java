// SPDX-License-Identifier: Apache-2.0

package io.leaf.segment.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.sql.Statement;
import java.time.Duration;
import java.util.function.Function;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.dao.DataAccessException;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.jdbc.SQLWarningException;
import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Runs a store's statements on a connection of their own, also inside a transaction of
 * the caller, JPA's included. Each statement commits itself: a process that is paused
 * between an update and its commit keeps all others from the row until it runs again.
 * <p>
 * Of MySQL and MariaDB a session has to be asked whether it commits each statement: the
 * drivers do not always know, and then nothing that was issued would be recorded. Who
 * writes calls {@link #requireCommits}, or makes {@code @@autocommit = 1} a condition of
 * the statement.
 * <p>
 * Every statement has a timeout, whatever the {@code DataSource}, and a connection on
 * which a statement has failed is not used again, unless only the data was at fault:
 * after a switchover it may lead to a server that only answers "read-only".
 * <p>
 * For Leaf's own stores. Safe for use by any number of threads.
 */
public final class OwnConnections {

	/**
	 * How long a statement may take if the store names no other timeout. Without one,
	 * PostgreSQL waits forever for a row that a paused process has locked.
	 */
	static final Duration TIMEOUT = Duration.ofSeconds(5);

	/**
	 * How much longer than its timeout a statement may keep its thread: for the driver to
	 * cancel it. After that the network is to blame, and the driver closes the
	 * connection.
	 */
	private static final Duration TIME_TO_CANCEL = Duration.ofSeconds(2);

	/**
	 * The state of an SQL warning that only notifies, such as PostgreSQL's NOTICE.
	 */
	private static final String NOTICE = "00000";

	private static final Logger logger = LoggerFactory.getLogger(OwnConnections.class);

	private final TransactionTemplate noTransaction = new TransactionTemplate(new NoTransaction());

	private final DataSource dataSource;

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
		this.dataSource = new DelegatingDataSource(dataSource);
		this.failures = failures;
		this.noTransaction.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
	}

	/**
	 * Prepares connections whose statements see nothing of what others have not
	 * committed, for databases where that is not the default.
	 * @param dataSource where they come from
	 * @param failures translates what goes wrong on them
	 * @param isolation the isolation level, one of {@link TransactionDefinition}
	 */
	public OwnConnections(DataSource dataSource, JdbcFailures failures, int isolation) {
		this(dataSource, failures);
		this.noTransaction.setIsolationLevel(isolation);
	}

	/**
	 * Runs statements, all on one connection, each of which may take 5 seconds. What
	 * Spring throws is translated. If a statement fails, those before it stay in effect,
	 * and whether it has taken effect itself is unknown. Warnings are ignored unless the
	 * work sets otherwise.
	 * @param <T> the type of the result
	 * @param work runs the statements
	 * @return what the work returned
	 */
	public <T extends @Nullable Object> T execute(Function<JdbcTemplate, T> work) {
		return execute(TIMEOUT, work);
	}

	/**
	 * Runs statements, all on one connection.
	 * @param <T> the type of the result
	 * @param timeout how long a statement may take, rounded up to whole seconds
	 * @param work runs the statements
	 * @return what the work returned
	 * @see #execute(Function)
	 */
	public <T extends @Nullable Object> T execute(Duration timeout, Function<JdbcTemplate, T> work) {
		Duration rounded = Duration.ofSeconds(timeout.plusNanos(999_999_999).toSeconds());
		JdbcTemplate jdbc = template();
		jdbc.setQueryTimeout((int) rounded.toSeconds());
		ConnectionCallback<T> callback = (connection) -> execute(connection, jdbc, rounded.plus(TIME_TO_CANCEL), work);
		try {
			return this.noTransaction.execute((callersIsSuspended) -> jdbc.execute(callback));
		}
		catch (DataAccessException ex) {
			throw this.failures.translate(ex);
		}
	}

	private JdbcTemplate template() {
		return new JdbcTemplate(this.dataSource) {
			@Override
			protected void handleWarnings(@Nullable SQLWarning first) {
				for (SQLWarning warning = first; warning != null; warning = warning.getNextWarning()) {
					if (!NOTICE.equals(warning.getSQLState())) {
						throw new SQLWarningException("The database answered with a warning", warning);
					}
				}
			}
		};
	}

	/**
	 * Requires that what is executed next will be committed. Costs a round trip on MySQL
	 * and MariaDB. Connector/J does not know if a pool's initial statement has turned
	 * that off, nor, with {@code useLocalSessionState}, if the server has; MariaDB's
	 * driver does not know it of the server either.
	 * @param jdbc what {@link #execute} has passed
	 */
	public void requireCommits(JdbcTemplate jdbc) {
		if (warningsAreHarmless(jdbc) && "0".equals(jdbc.queryForObject("SELECT @@autocommit", String.class))) {
			throw this.failures.doesNotCommit();
		}
	}

	/**
	 * Returns whether a warning says nothing of whether a statement has taken effect,
	 * which is so on MySQL and MariaDB.
	 * @param jdbc what {@link #execute} has passed
	 * @return {@code false} if a warning casts doubt on an answer
	 */
	public boolean warningsAreHarmless(JdbcTemplate jdbc) {
		return product(jdbc).matches("MySQL|MariaDB");
	}

	static String product(JdbcTemplate jdbc) {
		ConnectionCallback<String> product = (connection) -> connection.getMetaData().getDatabaseProductName();
		return String.valueOf(jdbc.execute(product));
	}

	// The template finds the connection again that is passed here.
	private <T extends @Nullable Object> T execute(Connection connection, JdbcTemplate jdbc, Duration networkTimeout,
			Function<JdbcTemplate, T> work) throws SQLException {
		boolean autoCommit = connection.getAutoCommit();
		Integer formerTimeout = limit(connection, networkTimeout);
		Integer isolation = null;
		boolean usable = true;
		try {
			if (!autoCommit) {
				connection.setAutoCommit(true);
			}
			isolation = DataSourceUtils.prepareConnectionForTransaction(connection, this.noTransaction);
			return work.apply(jdbc);
		}
		catch (SQLException | DataAccessException ex) {
			// if only the data was at fault, the connection is as good as before
			usable = ex instanceof DataIntegrityViolationException;
			throw ex;
		}
		finally {
			if (usable || !discard(connection)) {
				// not every pool resets what it takes back
				DataSourceUtils.resetConnectionAfterTransaction(connection, isolation, false);
				reset(connection, autoCommit, formerTimeout);
			}
		}
	}

	/**
	 * Limits how long each answer may take on a connection. Drivers wait without limit by
	 * default: one lost answer would keep a thread forever.
	 * @param connection the connection
	 * @param networkTimeout how long an answer may take
	 * @return the limit in milliseconds that it had, or {@code null} if the driver knows
	 * no limits
	 */
	public static @Nullable Integer limit(Connection connection, Duration networkTimeout) {
		try {
			int former = connection.getNetworkTimeout();
			connection.setNetworkTimeout(Runnable::run, (int) networkTimeout.toMillis());
			return former;
		}
		// some drivers have no such timeout, and some throw what they should not
		catch (SQLException | UnsupportedOperationException | AbstractMethodError ex) {
			logger.debug("The driver has no network timeout", ex);
			return null;
		}
	}

	private static void reset(Connection connection, boolean autoCommit, @Nullable Integer networkTimeout) {
		try {
			if (networkTimeout != null) {
				connection.setNetworkTimeout(Runnable::run, networkTimeout);
			}
			if (!autoCommit) {
				connection.setAutoCommit(false);
			}
		}
		catch (SQLException ex) {
			logger.debug("The connection could not be reset and is discarded", ex);
			discard(connection);
		}
	}

	/**
	 * Closes a connection past its pool.
	 * @return whether the driver has done so
	 */
	private static boolean discard(Connection connection) {
		try {
			connection.abort(Runnable::run);
			// A pool need not notice that, but it does notice what a statement throws.
			try (Statement statement = connection.createStatement()) {
				statement.execute("SELECT 1");
			}
			return false;
		}
		catch (SQLException | UnsupportedOperationException | AbstractMethodError ex) {
			logger.debug("A connection on which a statement failed is discarded", ex);
			return true;
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
