// SPDX-License-Identifier: Apache-2.0

package io.leaf.test.server;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Changes JDBC URLs, in the syntax of each driver.
 */
public final class JdbcUrls {

	private static final Pattern URL = Pattern.compile(
			"(?<scheme>jdbc:[a-z]+://)(?<host>[^/:?,]+)(:(?<port>\\d+))?(/(?<database>[^?]*))?(?<parameters>\\?.*)?");

	private JdbcUrls() {
	}

	/**
	 * Adds a parameter.
	 * @param url a JDBC URL
	 * @param name the parameter's name
	 * @param value the parameter's value
	 * @return the URL with the parameter
	 */
	public static String with(String url, String name, String value) {
		if (url.startsWith("jdbc:h2:")) {
			return url + ";" + name + "=" + value;
		}
		return url + (url.contains("?") ? "&" : "?") + name + "=" + value;
	}

	/**
	 * Limits the time for connecting and the time for waiting for an answer.
	 * @param url a JDBC URL of MySQL, MariaDB or PostgreSQL
	 * @param timeout the limit, which is rounded down to whole seconds, at least one, for
	 * PostgreSQL
	 * @return the URL with the limits
	 */
	public static String withTimeout(String url, Duration timeout) {
		long value = url.startsWith("jdbc:postgresql:") ? Math.max(1, timeout.toSeconds()) : timeout.toMillis();
		return with(with(url, "connectTimeout", Long.toString(value)), "socketTimeout", Long.toString(value));
	}

	static String host(String url) {
		return match(url).group("host");
	}

	static int port(String url) {
		Matcher matcher = match(url);
		if (matcher.group("port") != null) {
			return Integer.parseInt(matcher.group("port"));
		}
		return url.startsWith("jdbc:postgresql:") ? 5432 : 3306;
	}

	static String withAddress(String url, String host, int port) {
		Matcher matcher = match(url);
		return matcher.group("scheme") + host + ":" + port + "/" + orEmpty(matcher.group("database"))
				+ orEmpty(matcher.group("parameters"));
	}

	/**
	 * Replaces the database.
	 * @param url a JDBC URL of MySQL, MariaDB or PostgreSQL, with one host
	 * @param database the name of the database
	 * @return the URL of that database
	 */
	public static String withDatabase(String url, String database) {
		Matcher matcher = match(url);
		return matcher.group("scheme") + matcher.group("host")
				+ ((matcher.group("port") != null) ? ":" + matcher.group("port") : "") + "/" + database
				+ orEmpty(matcher.group("parameters"));
	}

	private static Matcher match(String url) {
		Matcher matcher = URL.matcher(url);
		if (!matcher.matches()) {
			throw new IllegalArgumentException("Not a JDBC URL with one host: " + url);
		}
		return matcher;
	}

	private static String orEmpty(String group) {
		return (group != null) ? group : "";
	}

}
