// SPDX-License-Identifier: Apache-2.0

package io.leaf.jdbc;

import java.sql.SQLException;
import java.time.Duration;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.leaf.support.DurationText;
import org.jspecify.annotations.Nullable;

import org.springframework.core.NestedExceptionUtils;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.dao.PessimisticLockingFailureException;
import org.springframework.dao.QueryTimeoutException;
import org.springframework.jdbc.BadSqlGrammarException;
import org.springframework.jdbc.CannotGetJdbcConnectionException;

/**
 * Explains why a statement on one of Leaf's tables has failed, and what to do. In most
 * cases, the SQL state shows the reason. In the SQL standard, class 28 is "invalid
 * authorization" and 25006 "read-only SQL transaction". MySQL, MariaDB and H2 use ODBC's
 * states 42S02 ("table not found") and 42S22 ("column not found"); H2 also uses 42S03 and
 * 42S04 for a missing table, and 90079 for a missing schema. PostgreSQL uses 42P01 for a
 * missing table, 42703 for a missing column and 42501 for "insufficient privilege". Class
 * 08 is "connection exception".
 * <p>
 * Used by Leaf's own stores. Safe for use by any number of threads.
 *
 * @param table the name of the table
 * @param advice what to do if the table or one of its columns is missing, or if the user
 * has no right to use the table
 * @param exceptions creates the exceptions that failures are translated to
 */
public record JdbcFailures(TableName table, Advice advice, ExceptionType exceptions) {

	/**
	 * The location of the scripts that create the tables, for messages.
	 */
	public static final String SCRIPTS = "io/leaf/segment/jdbc/schema-*.sql in the jar of leaf-spring-boot-autoconfigure";

	/**
	 * The error codes of MySQL's and MariaDB's ER_DBACCESS_DENIED_ERROR,
	 * ER_TABLEACCESS_DENIED_ERROR and ER_COLUMNACCESS_DENIED_ERROR, which have no SQL
	 * state of their own, and of H2's NOT_ENOUGH_RIGHTS_FOR_1.
	 */
	private static final Set<Integer> ACCESS_DENIED = Set.of(1044, 1142, 1143, 90096);

	/**
	 * The error codes of MySQL's and MariaDB's ER_OPTION_PREVENTS_STATEMENT, which
	 * servers with read_only=ON report, of MySQL's ER_READ_ONLY_MODE, which servers with
	 * innodb_read_only=ON may report, and of H2's DATABASE_IS_READ_ONLY.
	 */
	private static final Set<Integer> READ_ONLY = Set.of(1290, 1836, 90097);

	/**
	 * Some messages of drivers and of DriverManager quote the URL, which may contain a
	 * password. The end of the URL cannot be recognized, so the pattern matches up to the
	 * end of the line.
	 */
	private static final Pattern URL = Pattern.compile("(jdbc:\\w*).*");

	/**
	 * The end of the first line of H2's messages. The statement follows on further lines.
	 */
	private static final String STATEMENT_FOLLOWS = "; SQL statement:";

	/**
	 * The message of HikariCP if no connection was available in time.
	 */
	private static final Pattern TIMED_OUT = Pattern.compile("^.*request timed out after (\\d+)ms.*");

	/**
	 * The beginning of {@link java.sql.DriverManager}'s message if no driver accepts the
	 * URL.
	 */
	private static final String NO_DRIVER = "No suitable driver";

	/**
	 * Translates a failure.
	 * @param failure the exception that Spring threw
	 * @return an exception that says what to do, with the failure as its cause
	 */
	public RuntimeException translate(RuntimeException failure) {
		SQLException sql = sqlException(failure);
		String state = String.valueOf(sql.getSQLState());
		if (state.startsWith("28")) {
			return explain(failure, true, "The database rejects the credentials",
					"Check spring.datasource.username and spring.datasource.password, or leaf.segment.datasource.username and leaf.segment.datasource.password");
		}
		if (state.equals("42501") || ACCESS_DENIED.contains(sql.getErrorCode())) {
			return explain(failure, true, "The database user lacks privileges on table %s", this.advice.privileges());
		}
		if (state.matches("42S0[234]|42P01|90079")) {
			return explain(failure, true, "There is no table %s", this.advice.missingTable());
		}
		if (state.matches("42S22|42703")) {
			return explain(failure, true, "Table %s is not a Leaf table", this.advice.missingColumn());
		}
		if (reason(failure).startsWith(NO_DRIVER)) {
			return explain(failure, true, "There is no JDBC driver for the database of table %s",
					"Add the driver to the classpath, such as com.mysql:mysql-connector-j or org.postgresql:postgresql, or correct leaf.segment.datasource.url or spring.datasource.url");
		}
		if (state.equals("25006") || READ_ONLY.contains(sql.getErrorCode())) {
			return explain(failure, false, "The database of table %s is read-only",
					"Connect to the primary server: check spring.datasource.url or leaf.segment.datasource.url. If the application's DataSource routes to replicas, set leaf.segment.datasource.url, or qualify the DataSource of the primary server with @LeafDataSource");
		}
		if (failure instanceof CannotGetJdbcConnectionException) {
			return explain(failure, false, "Cannot reach the database of table %s",
					"Check that the database is running and that spring.datasource.url (or leaf.segment.datasource.url) is correct");
		}
		if (state.startsWith("08")) {
			return explain(failure, false, "The connection to the database of table %s was lost",
					"Check that the database is running, and the network between this process and the database");
		}
		if (failure instanceof QueryTimeoutException || failure instanceof PessimisticLockingFailureException) {
			return explain(failure, false, "A statement on table %s did not complete",
					"Check whether other transactions lock rows of the table for long, and whether the database is overloaded");
		}
		return explain(failure, failure instanceof BadSqlGrammarException || failure instanceof DuplicateKeyException,
				"A statement on table %s failed",
				"Check that the table has the columns of the script for your database (%s), and check the database's log"
					.formatted(SCRIPTS));
	}

	private RuntimeException explain(RuntimeException failure, boolean refusal, String what, String advice) {
		return this.exceptions.create("%s (%s). %s".formatted(what.formatted(this.table), reason(failure), advice),
				failure, refusal);
	}

	/**
	 * Returns an exception for sessions that do not commit each statement.
	 * @return an exception that says what to change
	 */
	RuntimeException doesNotCommit() {
		return this.exceptions.create(
				"A session with the database of table %s has autocommit=0, and the driver has not noticed it. No change would be committed. Remove 'SET autocommit=0' from the statements that the connection pool executes on new connections (such as spring.datasource.hikari.connection-init-sql), and set autocommit=1 on the server"
					.formatted(this.table),
				null, true);
	}

	/**
	 * Returns the innermost {@link SQLException} among a failure and its causes. If there
	 * is none, returns a new one with the message of the innermost cause.
	 * @param failure the exception that Spring threw
	 * @return the innermost exception, or the new one
	 */
	public static SQLException sqlException(Throwable failure) {
		SQLException deepest = new SQLException(NestedExceptionUtils.getMostSpecificCause(failure).getMessage());
		for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
			if (cause instanceof SQLException sql) {
				deepest = sql;
			}
		}
		return deepest;
	}

	/**
	 * Returns what the driver or the connection pool reports about a failure: the first
	 * line of the message of its {@link #sqlException}, without the JDBC URL if the
	 * message quotes one. HikariCP's message about a timeout is shortened.
	 * @param failure the exception that Spring threw
	 * @return the message, or the class name of the innermost cause if the message is
	 * empty
	 */
	public static String reason(Throwable failure) {
		// drivers append server traces and hints after the first line
		String message = Objects.toString(sqlException(failure).getMessage(), "")
			.lines()
			.findFirst()
			.orElse("")
			.replace(STATEMENT_FOLLOWS, "");
		Matcher timedOut = TIMED_OUT.matcher(message);
		if (timedOut.matches()) {
			return "no connection within " + DurationText.of(Duration.ofMillis(Long.parseLong(timedOut.group(1))));
		}
		return message.isEmpty() ? NestedExceptionUtils.getMostSpecificCause(failure).getClass().getSimpleName()
				: URL.matcher(message).replaceFirst("$1:…");
	}

	/**
	 * What to do about a failure, for each cause. Each text has one or more sentences,
	 * and no period at its end.
	 *
	 * @param privileges the advice if the database user lacks privileges on the table
	 * @param missingTable the advice if the table is missing
	 * @param missingColumn the advice if the table lacks one of the columns
	 */
	public record Advice(String privileges, String missingTable, String missingColumn) {

	}

	/**
	 * Creates the exceptions of a store.
	 */
	@FunctionalInterface
	public interface ExceptionType {

		/**
		 * Creates an exception.
		 * @param message what went wrong and what to do next
		 * @param cause the failure, or {@code null} if no statement failed
		 * @param refusal whether the same request will fail again until the data or the
		 * configuration is changed
		 * @return the exception
		 */
		RuntimeException create(String message, @Nullable Throwable cause, boolean refusal);

	}

}
