// SPDX-License-Identifier: Apache-2.0

package io.leaf.autoconfigure.datasource;

import org.jspecify.annotations.Nullable;

/**
 * The application's connection details, in a form that is the same on all versions of
 * Spring Boot.
 *
 * @param url the JDBC URL
 * @param username the user, if there is one
 * @param password the password, if there is one
 */
record ApplicationDatabase(String url, @Nullable String username, @Nullable String password) {

	@Override
	public String toString() {
		// the toString() of a record would contain the password
		return "ApplicationDatabase";
	}

}
