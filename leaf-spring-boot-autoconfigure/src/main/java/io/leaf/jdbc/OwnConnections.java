// SPDX-License-Identifier: Apache-2.0

package io.leaf.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.sql.Statement;
import java.time.Duration;
import java.util.function.Function;

import javax.sql.DataSource;

import io.leaf.IdGenerationException;
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
import org.springframework.jdbc.support.JdbcUtils;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Runs the statements of a store on a separate connection, even if the caller is inside a
 * transaction, for example a JPA transaction. Each statement is committed by itself. If
 * the statements ran in a transaction, a process that is paused between the update of a
 * row and the commit would keep the row locked for all other processes until it
 * continues.
 * <p>
 * On MySQL and MariaDB, the session has to be asked whether it commits each statement,
 * because the drivers do not always know. In a session that does not commit, no
 * allocation and no lease would be recorded. Therefore, code that writes must call
 * {@link #requireCommits}, or make {@code @@autocommit = 1} a condition of the statement.
 * <p>
 * Every statement has a timeout, whichever {@code DataSource} is used. If a statement
 * fails for a reason other than its data, the connection is closed if the driver can
 * abort it, because after a switchover the connection may lead to a server that is
 * read-only. If only the data was at fault, the connection stays open. If the driver is
 * interrupted by an {@link Error} such as an {@link OutOfMemoryError}, or by an exception
 * other than an {@link SQLException} or a {@link DataAccessException}, it may not have
 * read the whole answer, and would take the rest for the answer to the next statement.
 * The connection is then always closed. If the driver cannot abort it, {@code close} is
 * called on the driver's connection rather than on the pool's, which would only return
 * the connection to the pool.
 * <p>
 * Used by Leaf's own stores. Safe for use by any number of threads.
 */
public final class OwnConnections {

	/**
	 * How long a statement may take if the store sets no other timeout. Without a
	 * timeout, PostgreSQL waits forever for a row that a paused process has locked.
	 */
	static final Duration TIMEOUT = Duration.ofSeconds(5);

	/**
	 * How long a statement may occupy its thread after its timeout, so that the driver
	 * can cancel the statement. After this time, the network is assumed to be broken, and
	 * the driver closes the connection.
	 */
	private static final Duration TIME_TO_CANCEL = Duration.ofSeconds(2);

	/**
	 * The SQL state of a warning that only notifies, such as PostgreSQL's NOTICE.
	 */
	private static final String NOTICE = "00000";

	private static final Logger logger = LoggerFactory.getLogger(OwnConnections.class);

	private final TransactionTemplate noTransaction = new TransactionTemplate(new NoTransaction());

	private final DataSource dataSource;

	private final JdbcFailures failures;

	/**
	 * Creates an instance.
	 * @param dataSource where connections come from
	 * @param failures translates failures of statements
	 */
	public OwnConnections(DataSource dataSource, JdbcFailures failures) {
		// Spring binds the connection of a transaction to its thread, with the DataSource
		// object as the key. JPA uses the application's DataSource as the key of the
		// caller's connection. If the same object were the key here, Spring would find
		// the caller's connection, and enabling auto-commit on it would commit the
		// caller's work. The wrapper is a key that no other code has.
		this.dataSource = new DelegatingDataSource(dataSource);
		this.failures = failures;
		this.noTransaction.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
	}

	/**
	 * Creates an instance whose statements run at a given isolation level, for databases
	 * whose default level would show uncommitted changes.
	 * @param dataSource where connections come from
	 * @param failures translates failures of statements
	 * @param isolation the isolation level, one of the constants of
	 * {@link TransactionDefinition}
	 */
	public OwnConnections(DataSource dataSource, JdbcFailures failures, int isolation) {
		this(dataSource, failures);
		this.noTransaction.setIsolationLevel(isolation);
	}

	/**
	 * Runs statements, all on one connection. Each statement may take 5 seconds. Spring's
	 * exceptions are translated. If a statement fails, the statements before it stay in
	 * effect, and the outcome of the failed statement is unknown. Warnings are ignored,
	 * unless {@code work} sets {@link JdbcTemplate#setIgnoreWarnings} to false.
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
	 * Throws an exception of the store if the session does not commit each statement. On
	 * MySQL and MariaDB, the check costs a round trip. On other databases, nothing is
	 * checked. The check is needed because Connector/J does not notice {@code
	 * autocommit=0} if a pool's initial statement has set it or, with {@code
	 * useLocalSessionState}, if the server has set it. MariaDB's driver does not notice
	 * {@code autocommit=0} if the server has set it.
	 * @param jdbc the template that {@link #execute} has passed to the work
	 */
	public void requireCommits(JdbcTemplate jdbc) {
		if (warningsAreHarmless(jdbc) && "0".equals(jdbc.queryForObject("SELECT @@autocommit", String.class))) {
			throw this.failures.doesNotCommit();
		}
	}

	/**
	 * Returns whether a statement has certainly taken effect if the database answered it
	 * with a warning. This is the case on MySQL and MariaDB.
	 * @param jdbc the template that {@link #execute} has passed to the work
	 * @return {@code false} if the outcome of a statement that was answered with a
	 * warning is unknown
	 */
	public boolean warningsAreHarmless(JdbcTemplate jdbc) {
		return product(jdbc).matches("MySQL|MariaDB");
	}

	/**
	 * Returns the name of the database product.
	 * @param jdbc the template that {@link #execute} has passed to the work
	 * @return the name, as the driver reports it
	 */
	public static String product(JdbcTemplate jdbc) {
		ConnectionCallback<String> product = (connection) -> connection.getMetaData().getDatabaseProductName();
		return String.valueOf(jdbc.execute(product));
	}

	// the statements of the template run on the given connection, because Spring has
	// bound that connection to the thread
	private <T extends @Nullable Object> T execute(Connection connection, JdbcTemplate jdbc, Duration networkTimeout,
			Function<JdbcTemplate, T> work) throws SQLException {
		boolean autoCommit = connection.getAutoCommit();
		Integer formerTimeout = limit(connection, networkTimeout);
		Integer isolation = null;
		boolean usable = false;
		try {
			if (!autoCommit) {
				connection.setAutoCommit(true);
			}
			isolation = DataSourceUtils.prepareConnectionForTransaction(connection, this.noTransaction);
			T result = work.apply(jdbc);
			usable = true;
			return result;
		}
		// the connection can be kept, because only the data was at fault, or the store
		// has rejected the data that it had read
		catch (DataIntegrityViolationException | IdGenerationException ex) {
			usable = true;
			throw ex;
		}
		catch (SQLException | DataAccessException ex) {
			usable = !discard(connection);
			throw ex;
		}
		catch (RuntimeException | Error ex) {
			discardOrClose(connection);
			throw ex;
		}
		finally {
			if (usable) {
				// reset here, because not every pool resets a connection that is returned
				// to it
				reset(connection, autoCommit, isolation, formerTimeout);
			}
		}
	}

	/**
	 * Limits how long each answer may take on a connection. By default, drivers wait
	 * without limit, so one lost answer would block a thread forever.
	 * @param connection the connection
	 * @param networkTimeout how long an answer may take
	 * @return the former limit in milliseconds, or {@code null} if the driver does not
	 * support limits
	 */
	public static @Nullable Integer limit(Connection connection, Duration networkTimeout) {
		try {
			int former = connection.getNetworkTimeout();
			connection.setNetworkTimeout(Runnable::run, (int) networkTimeout.toMillis());
			return former;
		}
		// drivers that do not support network timeouts throw various exceptions and
		// errors
		catch (SQLException | UnsupportedOperationException | AbstractMethodError ex) {
			logger.debug("The network timeout could not be set; the driver may not support it", ex);
			return null;
		}
	}

	private static void reset(Connection connection, boolean autoCommit, @Nullable Integer isolation,
			@Nullable Integer networkTimeout) {
		try {
			if (isolation != null) {
				connection.setTransactionIsolation(isolation);
			}
			if (!autoCommit) {
				connection.setAutoCommit(false);
			}
			if (networkTimeout != null) {
				connection.setNetworkTimeout(Runnable::run, networkTimeout);
			}
		}
		// whatever was thrown, the driver may not have read an answer completely
		catch (Throwable ex) {
			logger.debug("A connection could not be reset, and is aborted or closed", ex);
			discardOrClose(connection);
		}
	}

	/**
	 * Aborts a connection, bypassing its pool.
	 * @return whether the driver has closed the connection
	 */
	private static boolean discard(Connection connection) {
		try {
			connection.abort(Runnable::run);
		}
		catch (SQLException | RuntimeException | AbstractMethodError ex) {
			logger.debug("The driver cannot abort a connection", ex);
			return false;
		}
		// The statement fails if the driver has closed the connection. A pool may not
		// notice the abort, but it notices this failure.
		try (Statement statement = connection.createStatement()) {
			statement.execute("SELECT 1");
			return false;
		}
		catch (SQLException ex) {
			logger.debug("A connection has been aborted. The failure of the test statement is expected", ex);
			return true;
		}
	}

	// closes the driver's connection if the driver cannot abort it, like H2's
	private static void discardOrClose(Connection connection) {
		if (discard(connection)) {
			return;
		}
		try {
			Connection pooled = DataSourceUtils.getTargetConnection(connection);
			Connection physical = pooled.unwrap(Connection.class);
			if (physical != pooled) {
				JdbcUtils.closeConnection(physical);
			}
		}
		catch (SQLException | RuntimeException | AbstractMethodError ex) {
			logger.debug("The driver's connection cannot be closed", ex);
		}
	}

	/**
	 * A transaction manager that neither begins nor ends a database transaction. Its
	 * superclass suspends the transaction of the calling thread, so that Leaf's
	 * connection does not become a part of that transaction, and makes Spring close
	 * Leaf's connection at the end.
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
