// SPDX-License-Identifier: Apache-2.0

package io.leaf.autoconfigure.properties;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.regex.Pattern;

import io.leaf.http.LeafServers;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;

/**
 * Properties of the Leaf servers that an application takes segments or worker IDs from.
 *
 * @param urls URLs of the Leaf servers, such as http://leaf-1:8080, separated by commas.
 * All servers must use the same table in the same database, because a request can go to
 * any of them. Required if leaf.segment.source or leaf.snowflake.worker.source is
 * 'server'.
 * @param token Token with which this application authenticates, as set in
 * leaf.server.clients on the servers.
 * @param sslBundle Name of the SSL bundle with the certificates for https. Defaults to
 * the certificates of the JVM.
 */
@ConfigurationProperties("leaf.server")
public record LeafServersProperties(@DefaultValue List<String> urls, @Nullable String token,
		@Nullable String sslBundle) {

	private static final int MAX_PORT = 65_535;

	/**
	 * Matches URLs that may contain a secret, even if they are malformed.
	 */
	private static final Pattern SECRET = Pattern.compile("[@\uFF20?#]|%40");

	/**
	 * Returns the URLs.
	 * @throws LeafStartupException if no URL is set, or if a URL has a user, a query or a
	 * fragment
	 * @throws InvalidConfigurationPropertyValueException if a URL is not an http or https
	 * URL with a host and, if it has a port, a valid one
	 */
	public List<URI> checkedUrls() {
		if (this.urls.isEmpty()) {
			throw new LeafStartupException(
					"The property leaf.segment.source or leaf.snowflake.worker.source is server, but leaf.server.urls is not set.",
					"Set leaf.server.urls to the URLs of Leaf servers, such as http://leaf-1:8080,http://leaf-2:8080.");
		}
		if (this.urls.stream().anyMatch((url) -> SECRET.matcher(url).find())) {
			throw new LeafStartupException(
					"The property leaf.server.urls contains a URL with a user, a query or a fragment. The value is not shown, because it may contain a password.",
					"Remove this part from the URL, and set the token of this application in leaf.server.token.");
		}
		return this.urls.stream().map(LeafServersProperties::url).toList();
	}

	private static URI url(String text) {
		try {
			URI url = new URI(text);
			if (List.of("http", "https").contains(String.valueOf(url.getScheme())) && url.getHost() != null
					&& url.getPort() <= MAX_PORT) {
				return url;
			}
		}
		catch (URISyntaxException ex) {
			// reported below
		}
		throw new InvalidConfigurationPropertyValueException("leaf.server.urls", text,
				"Each element must be the URL of a Leaf server, such as http://leaf-1:8080");
	}

	/**
	 * Returns the token.
	 * @throws LeafStartupException if the token has a character that cannot be sent
	 */
	public @Nullable String checkedToken() {
		if (this.token != null && !LeafServers.isToken(this.token)) {
			throw new LeafStartupException(
					"The property leaf.server.token has a character that cannot be sent. The value is not shown, because it is a secret.",
					"Set leaf.server.token to printable ASCII characters, with no line break and with no space at the beginning or the end.");
		}
		return this.token;
	}

	/**
	 * Returns a text without the token.
	 */
	@Override
	public String toString() {
		return "LeafServersProperties[urls=" + this.urls + ", sslBundle=" + this.sslBundle + "]";
	}

}
