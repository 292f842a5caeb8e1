// SPDX-License-Identifier: Apache-2.0

package io.leaf.server;

import java.time.ZoneId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.leaf.autoconfigure.properties.LeafStartupException;
import io.leaf.http.LeafServers;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;

/**
 * Properties of the server itself.
 *
 * @param compatibleErrors whether the API responds as a server of Meituan's Leaf does. If
 * so, the status is 500 if no ID can be issued, a single ID in JSON is a number, and a
 * HEAD request takes an ID
 * @param tokens for each protected key, the token that clients must send as
 * {@code Authorization: Bearer …}
 * @param clients the clients that may take ranges of numbers and lease worker IDs, by
 * name. The names appear in the log and in error messages
 * @param zone the time zone in which {@code /decodeSnowflakeId} shows times; by default
 * the time zone of the JVM
 */
@ConfigurationProperties("leaf.server")
public record LeafServerProperties(@DefaultValue("false") boolean compatibleErrors,
		@DefaultValue Map<String, String> tokens, @DefaultValue Map<String, Client> clients, ZoneId zone) {

	public LeafServerProperties {
		zone = (zone != null) ? zone : ZoneId.systemDefault();
		tokens.forEach((key, token) -> requireToken(name("leaf.server.tokens", key), token,
				"Set a token, or remove the property."));
		Map<String, String> names = new HashMap<>();
		clients.forEach((name, client) -> {
			String prefix = name("leaf.server.clients", name) + ".";
			if (client.requestsPerSecond() < 1) {
				throw new InvalidConfigurationPropertyValueException(prefix + "requests-per-second",
						client.requestsPerSecond(), "It must be at least 1");
			}
			if (client.token() == null) {
				throw new LeafStartupException("The client '%s' of leaf.server.clients has no token.".formatted(name),
						"Set %stoken.".formatted(prefix));
			}
			client.tokens().forEach((property, token) -> check(prefix + property, token, names));
		});
	}

	private static String name(String map, String key) {
		return key.matches("[a-z0-9-]+") ? map + "." + key : map + "[" + key + "]";
	}

	/**
	 * Returns a text without the tokens, so that the text can be logged.
	 */
	@Override
	public String toString() {
		return "LeafServerProperties[compatibleErrors=%s, tokens of %s, clients=%s, zone=%s]"
			.formatted(this.compatibleErrors, this.tokens.keySet(), this.clients, this.zone);
	}

	private static void check(String property, String token, Map<String, String> names) {
		requireToken(property, token, "Set a token.");
		String other = names.putIfAbsent(token, property);
		if (other != null) {
			throw new LeafStartupException("The property %s has the same value as %s.".formatted(property, other),
					"Set a different token for each of them.");
		}
	}

	private static void requireToken(String property, String token, String adviceIfEmpty) {
		if (token.isBlank()) {
			throw new LeafStartupException("The property %s is empty.".formatted(property), adviceIfEmpty);
		}
		if (!LeafServers.isToken(token)) {
			throw new LeafStartupException(
					"The property %s contains a character that clients cannot send.".formatted(property),
					"Use printable ASCII characters, with no leading or trailing space.");
		}
	}

	/**
	 * A client that may take ranges of numbers and lease worker IDs.
	 *
	 * @param token the token that the processes of the client send as
	 * {@code Authorization: Bearer …}
	 * @param formerToken the previous token, which the server still accepts, so that
	 * processes can change to {@code token} one after the other; {@code null} if there is
	 * none
	 * @param keys patterns of the keys that the client may use. {@code *} stands for any
	 * number of characters
	 * @param names patterns of the values of {@code leaf.name} whose worker IDs the
	 * client may lease
	 * @param requestsPerSecond how many requests per second all processes of the client
	 * together may send to one server. The value is at least 1
	 */
	public record Client(String token, String formerToken, @DefaultValue("*") List<String> keys,
			@DefaultValue("*") List<String> names, @DefaultValue("10000") int requestsPerSecond) {

		/**
		 * Returns each token, by the name of the property that sets it.
		 */
		public Map<String, String> tokens() {
			return (this.formerToken != null) ? Map.of("token", this.token, "former-token", this.formerToken)
					: Map.of("token", this.token);
		}

		/**
		 * Returns a text without the tokens, so that the text can be logged.
		 */
		@Override
		public String toString() {
			return "Client[keys=%s, names=%s, requestsPerSecond=%d]".formatted(this.keys, this.names,
					this.requestsPerSecond);
		}

	}

}
