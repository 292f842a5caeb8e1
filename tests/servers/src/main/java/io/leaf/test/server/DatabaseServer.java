// SPDX-License-Identifier: Apache-2.0

package io.leaf.test.server;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;

/**
 * A running database server. Servers are shared between test classes, so each test uses
 * its own database: see {@link #createDatabase(String)}.
 */
public interface DatabaseServer {

	/**
	 * Returns the URL for managing the server. Tests must not write to its default
	 * database.
	 * @return a JDBC URL
	 */
	String jdbcUrl();

	/**
	 * Returns a user that may create databases and has all rights in them.
	 * @return the user name
	 */
	String username();

	/**
	 * Returns the password of {@link #username()}.
	 * @return the password
	 */
	String password();

	/**
	 * Returns the product that the server reports.
	 * @return its name and version, such as {@code MySQL 8.0.33}
	 */
	String product();

	/**
	 * Creates an empty database for the exclusive use of the caller. Its name begins with
	 * the given name and is unique, so that test classes can be repeated and can run in
	 * parallel on a shared server.
	 * @param name at most 30 lower-case letters, digits and underscores, the first of
	 * them a letter
	 * @return the JDBC URL of the new database
	 */
	String createDatabase(String name);

	/**
	 * Opens a connection.
	 * @param jdbcUrl a URL of this server, possibly with parameters or the address of a
	 * proxy
	 * @return a connection, to be closed by the caller
	 * @throws SQLException if the server cannot be reached
	 */
	default Connection connect(String jdbcUrl) throws SQLException {
		return DriverManager.getConnection(jdbcUrl, username(), password());
	}

}
