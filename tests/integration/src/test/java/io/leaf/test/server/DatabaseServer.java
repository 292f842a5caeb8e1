// SPDX-License-Identifier: Apache-2.0

package io.leaf.test.server;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;

/**
 * A running database server. Servers are shared between test classes, so a test works in
 * a database of its own: see {@link #createDatabase(String)}.
 */
public interface DatabaseServer {

	/**
	 * Returns the URL for managing the server. Tests must not write to its default
	 * database.
	 * @return a JDBC URL
	 */
	String jdbcUrl();

	/**
	 * Returns a user who may create databases and do everything in them.
	 * @return the user name
	 */
	String username();

	/**
	 * Returns the password of {@link #username()}.
	 * @return the password
	 */
	String password();

	/**
	 * Returns what the server says it is.
	 * @return name and version, such as {@code MySQL 8.0.33}
	 */
	String product();

	/**
	 * Creates an empty database for the exclusive use of the caller. Its name begins with
	 * the given name and is unique, so that a test class can be repeated, and run in
	 * parallel with others, on a server that is shared.
	 * @param name lower-case letters, digits and underscores, at most 30
	 * @return the JDBC URL of the new database
	 */
	String createDatabase(String name);

	/**
	 * Opens a connection.
	 * @param jdbcUrl a URL of this server, perhaps with parameters or through a proxy
	 * @return a connection, to be closed by the caller
	 * @throws SQLException if the server cannot be reached
	 */
	default Connection connect(String jdbcUrl) throws SQLException {
		return DriverManager.getConnection(jdbcUrl, username(), password());
	}

}
