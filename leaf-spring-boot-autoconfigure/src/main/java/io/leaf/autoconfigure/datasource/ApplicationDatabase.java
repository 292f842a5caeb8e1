// SPDX-License-Identifier: Apache-2.0

package io.leaf.autoconfigure.datasource;

import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

/**
 * The application's connection details. This class can be loaded on all versions of
 * Spring Boot, unlike Spring Boot's {@code JdbcConnectionDetails}, whose package depends
 * on the version.
 *
 * <p>
 * Each value is requested only when it is needed, because Spring Boot throws an exception
 * if it has no URL, even if only the user is requested.
 *
 * @param url the JDBC URL
 * @param username the user, if there is one
 * @param password the password, if there is one
 */
public record ApplicationDatabase(Supplier<String> url, Supplier<@Nullable String> username,
		Supplier<@Nullable String> password) {

}
