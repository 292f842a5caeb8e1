// SPDX-License-Identifier: Apache-2.0

package io.leaf.autoconfigure.datasource;

import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

/**
 * The application's connection details. This class can be loaded on all versions of
 * Spring Boot, unlike Spring Boot's {@code JdbcConnectionDetails}, whose package depends
 * on the version.
 *
 * @param url returns the JDBC URL, or throws an exception if the application has none
 * @param username the user, if there is one
 * @param password the password, if there is one
 */
public record ApplicationDatabase(Supplier<String> url, @Nullable String username, @Nullable String password) {

	@Override
	public String toString() {
		// the toString() of a record would contain the password
		return "ApplicationDatabase";
	}

}
