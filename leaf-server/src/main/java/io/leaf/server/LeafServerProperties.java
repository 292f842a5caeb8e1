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
 * @param compatibleErrors whether error responses look like those of a deployed Leaf
 * server: with status 500 if no ID can be issued
 * @param tokens for each protected key, the token that clients must send as
 * {@code Authorization: Bearer …}
 * @param clients the clients that may take ranges of numbers and lease worker IDs, by
 * name; log and messages use the names
 * @param zone the time zone in which {@code /decodeSnowflakeId} shows times; by default
 * that of the machine
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
						"%s has a character that clients cannot send. Use printable characters of ASCII, without a line break or a space at the end"
							.formatted(full));
			}
			String other = names.putIfAbsent(token, full);
			if (other != null) {
				throw new IllegalArgumentException(
						"%s is the same token as %s. Each token must identify one client".formatted(full, other));
			}
		}));
	}

	/**
	 * A client that may take ranges of numbers and lease worker IDs.
	 *
	 * @param token the token that it sends as {@code Authorization: Bearer …}
	 * @param formerToken a token that is still accepted, while clients change to the
	 * other one
	 * @param keys the keys that it may use. {@code *} stands for any number of characters
	 * @param names the values of leaf.name whose worker IDs it may lease
	 * @param requestsPerSecond how many requests per second all processes of this client
	 * may send to one server, at least 1
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
						"requests-per-second of a client of leaf.server.clients is %d. Set it to at least 1"
							.formatted(requestsPerSecond));
			}
		}

		/**
		 * Returns the tokens by the names of their properties.
		 */
		public Map<String, String> tokens() {
			return (this.formerToken != null) ? Map.of("token", this.token, "former-token", this.formerToken)
					: Map.of("token", this.token);
		}

		/**
		 * Returns a text without the tokens.
		 */
		@Override
		public String toString() {
			return "Client[keys=%s, names=%s, requestsPerSecond=%d]".formatted(this.keys, this.names,
					this.requestsPerSecond);
		}

	}

}
