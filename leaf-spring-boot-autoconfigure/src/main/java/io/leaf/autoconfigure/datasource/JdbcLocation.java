// SPDX-License-Identifier: Apache-2.0

package io.leaf.autoconfigure.datasource;

import java.util.regex.Pattern;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

/**
 * Makes JDBC URLs safe to show by removing the credentials and the parameters. Any
 * parameter may contain a secret.
 */
final class JdbcLocation {

	// matches the beginning of the parameters. They begin with a question mark or a
	// semicolon, with '(' as in //(host=h,password=p) or, for DB2, with ':' as in
	// /database:a=b
	private static final Pattern PARAMETERS = Pattern.compile("\\?|;|\\(|[/:,&][\\w .-]*=");

	private static final Pattern CREDENTIALS = Pattern.compile("^(jdbc:[\\w-]+:(?:thin:|oci:)?(?://)?).*@");

	// a URL that names no database: the driver uses the user's default database, or one
	// that the parameters name
	private static final Pattern NO_DATABASE = Pattern
		.compile("jdbc:[\\w-]+:(?:[\\w+-]+:(?=/))?(?://[^/]*)?/*(?:\\.\\.\\.)?");

	private static final Pattern SCHEMA = Pattern.compile("[?&;]((?:currentSchema|schema|options)=[^&;]*)",
			Pattern.CASE_INSENSITIVE);

	// a user in the parameters, or before the host, as in //scott:tiger@host and, for
	// Oracle, thin:scott/tiger@host
	private static final Pattern USER = Pattern.compile(
			"[?&;,(:/]\\s*(?:user(?:_?name)?|uid)\\s*=|//[^/?;]*@|^jdbc:oracle:\\w+:[^@/][^@]*@",
			Pattern.CASE_INSENSITIVE);

	private JdbcLocation() {
	}

	/**
	 * Returns whether a URL may contain a user name.
	 */
	static boolean hasCredentials(String url) {
		return USER.matcher(url).find();
	}

	static String of(String url) {
		String location = PARAMETERS.split(url, 2)[0];
		if (url.indexOf('@', location.length()) >= 0) {
			// credentials end with '@', so PARAMETERS may have matched inside a password;
			// the location would then contain the first part of the password
			location = location.replaceFirst("^(jdbc:[\\w-]+:).*", "$1...");
		}
		return CREDENTIALS.matcher(location).replaceFirst("$1");
	}

	/**
	 * Returns the part of a URL that identifies its database and schema.
	 * @return the URL without credentials and without parameters, except for parameters
	 * that name a schema; {@code null} if the URL without its credentials and parameters
	 * does not identify the database
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
