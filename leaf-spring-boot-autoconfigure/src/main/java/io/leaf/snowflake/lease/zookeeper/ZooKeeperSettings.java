// SPDX-License-Identifier: Apache-2.0

package io.leaf.snowflake.lease.zookeeper;

import java.time.Duration;
import java.util.regex.Pattern;

import io.leaf.support.DurationText;
import org.jspecify.annotations.Nullable;

/**
 * Settings for the connection to ZooKeeper.
 *
 * @param connectString the servers, and optionally a path, as in {@code
 * host:port,host:port/path}. Leaf creates its nodes below the path, and creates the path
 * if it is missing
 * @param auth {@code user:password} for the digest scheme, or {@code null} to send no
 * credentials
 * @param sessionTimeout how long a session outlives its connection, from 1 second to 10
 * minutes. The server may choose another timeout
 * @param connectionTimeout how long to wait for a connection at startup, from 1
 * millisecond to 10 minutes
 */
public record ZooKeeperSettings(String connectString, @Nullable String auth, Duration sessionTimeout,
		Duration connectionTimeout) {

	private static final String PREFIX = "leaf.snowflake.zookeeper.";

	private static final String SERVER = "(?:[\\w.-]+|\\[[\\p{XDigit}:.%\\w]+])(?::\\d{1,5})?";

	private static final Pattern CONNECT_STRING = Pattern
		.compile("\\s*%1$s\\s*(?:,\\s*%1$s\\s*)*(?:/[^\\s/,]+)*/?\\s*".formatted(SERVER));

	/**
	 * A description of the valid connect strings.
	 */
	public static final String CONNECT_STRING_RULE = "a list of servers, separated by commas, as in 10.0.0.1:2181,10.0.0.2:2181, which may end with a path, as in 10.0.0.1:2181/apps";

	/**
	 * Creates settings.
	 * @throws IllegalArgumentException if a value is invalid; the message names the
	 * property
	 */
	public ZooKeeperSettings {
		if (!isConnectString(connectString)) {
			throw new IllegalArgumentException(
					"%sconnect-string is '%s'. It must be %s".formatted(PREFIX, connectString, CONNECT_STRING_RULE));
		}
		if (auth != null && !isAuth(auth)) {
			// the value is not shown, because it may be a password
			throw new IllegalArgumentException(PREFIX + "auth must be user:password");
		}
		requireBetween("session-timeout", sessionTimeout, Duration.ofSeconds(1));
		requireBetween("connection-timeout", connectionTimeout, Duration.ofMillis(1));
	}

	/**
	 * Returns whether a text is a valid connect string.
	 * @param value the text
	 * @return whether it is a valid connect string
	 */
	public static boolean isConnectString(String value) {
		return CONNECT_STRING.matcher(value).matches();
	}

	/**
	 * Returns whether a text has the form {@code user:password}.
	 * @param value the text
	 * @return whether it has this form
	 */
	public static boolean isAuth(String value) {
		return value.matches("(?s)[^:]+:.+");
	}

	private static void requireBetween(String name, Duration value, Duration min) {
		Duration max = Duration.ofMinutes(10);
		if (value.compareTo(min) < 0 || value.compareTo(max) > 0) {
			throw new IllegalArgumentException("%s%s is %s. It must be from %s to %s".formatted(PREFIX, name,
					DurationText.of(value), DurationText.of(min), DurationText.of(max)));
		}
	}

	/**
	 * Returns the settings as text, without the credentials.
	 */
	@Override
	public String toString() {
		return "ZooKeeperSettings[connectString=%s, auth=%s, sessionTimeout=%s, connectionTimeout=%s]".formatted(
				this.connectString, (this.auth != null) ? "…" : null, this.sessionTimeout, this.connectionTimeout);
	}

}
