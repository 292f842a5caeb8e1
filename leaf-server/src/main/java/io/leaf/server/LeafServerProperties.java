// SPDX-License-Identifier: Apache-2.0

package io.leaf.server;

import java.time.ZoneId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.leaf.http.LeafServers;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Properties of the server itself.
 *
 * @param compatibleErrors whether the API responds like a deployed Leaf server. If so,
 * the status is 500 if no ID can be issued, a single ID in JSON is a number, and a HEAD
 * request takes an ID
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
		tokens.forEach((key, token) -> {
			if (token.isBlank()) {
				throw new IllegalArgumentException(
						"leaf.server.tokens.%s is empty. Set a token, or remove the property".formatted(key));
			}
		});
		Map<String, String> names = new HashMap<>();
		clients.forEach((name, client) -> client.tokens().forEach((property, token) -> {
			String full = "leaf.server.clients.%s.%s".formatted(name, property);
			if (token.isBlank()) {
				throw new IllegalArgumentException("%s is empty. Set a token".formatted(full));
			}
			if (!LeafServers.isToken(token)) {
				throw new IllegalArgumentException(
						"%s contains a character that clients cannot send. Use printable ASCII characters, with no leading or trailing space"
							.formatted(full));
			}
			String other = names.putIfAbsent(token, full);
			if (other != null) {
				throw new IllegalArgumentException(
						"%s has the same value as %s. Set a different token for each of them".formatted(full, other));
			}
		}));
	}

	/**
	 * A client that may take ranges of numbers and lease worker IDs.
	 *
	 * @param token the token that the processes of the client send as
	 * {@code Authorization: Bearer …}
	 * @param formerToken the previous token, which is still accepted while processes
	 * change to {@code token}, or {@code null}
	 * @param keys patterns of the keys that the client may use. {@code *} stands for any
	 * number of characters
	 * @param names patterns of the values of {@code leaf.name} whose worker IDs the
	 * client may lease
	 * @param requestsPerSecond how many requests per second all processes of the client
	 * together may send to one server. The value is at least 1
	 */
	public record Client(String token, String formerToken, @DefaultValue("*") List<String> keys,
			@DefaultValue("*") List<String> names, @DefaultValue("10000") int requestsPerSecond) {

		public Client {
			if (token == null) {
				throw new IllegalArgumentException(
						"A client of leaf.server.clients has no token. Set leaf.server.clients.<name>.token");
			}
			if (requestsPerSecond < 1) {
				throw new IllegalArgumentException(
						"leaf.server.clients.<name>.requests-per-second is %d. Set it to at least 1"
							.formatted(requestsPerSecond));
			}
		}

		/**
		 * Returns each token under the name of its property.
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
