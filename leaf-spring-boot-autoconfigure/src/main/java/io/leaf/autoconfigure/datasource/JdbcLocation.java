// SPDX-License-Identifier: Apache-2.0

package io.leaf.autoconfigure.datasource;

import java.util.regex.Pattern;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

/**
 * A JDBC URL that is safe to show: without credentials, and without parameters, any of
 * which may contain a secret.
 */
final class JdbcLocation {

	// ?a=b and ;a=b, but also //(host=h,password=p) and DB2's /database:a=b;
	private static final Pattern PARAMETERS = Pattern.compile("\\?|;|\\(|[/:,&][\\w .-]*=");

	private static final Pattern CREDENTIALS = Pattern.compile("^(jdbc:[\\w-]+:(?:thin:|oci:)?(?://)?).*@");

	// the URL names no database: the user's default, or one that the parameters name
	private static final Pattern NO_DATABASE = Pattern
		.compile("jdbc:[\\w-]+:(?:[\\w+-]+:(?=/))?(?://[^/]*)?/*(?:\\.\\.\\.)?");

	private static final Pattern SCHEMA = Pattern.compile("[?&;]((?:currentSchema|schema|options)=[^&;]*)",
			Pattern.CASE_INSENSITIVE);

	private JdbcLocation() {
	}

	static String of(String url) {
		String location = PARAMETERS.split(url, 2)[0];
		if (url.indexOf('@', location.length()) >= 0) {
			// a password may contain what looks like the beginning of the parameters
			location = location.replaceFirst("^(jdbc:[\\w-]+:).*", "$1...");
		}
		return CREDENTIALS.matcher(location).replaceFirst("$1");
	}

	/**
	 * Returns the part of a URL that identifies its database and schema.
	 * @return the URL without credentials and without parameters, except for those that
	 * name a schema; {@code null} if it does not identify the database
	 */
	static @Nullable String identity(@Nullable String url) {
		if (url == null) {
			return null;
		}
		String location = of(url);
		String parameters = url.substring(PARAMETERS.split(url, 2)[0].length());
		boolean inParameters = !parameters.isEmpty() && !parameters.matches("(?s)[?;].*");
		boolean severalCredentials = url.indexOf('@') < url.lastIndexOf('@');
		if (inParameters || severalCredentials || NO_DATABASE.matcher(location).matches()) {
			return null;
		}
		return SCHEMA.matcher(parameters)
			.results()
			.map((match) -> "?" + match.group(1))
			.sorted()
			.collect(Collectors.joining("", location, ""));
	}

}
