// SPDX-License-Identifier: Apache-2.0

package io.leaf.server.api;

import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.github.bucket4j.Bucket;
import io.github.bucket4j.TimeMeter;
import io.leaf.server.LeafServerProperties;
import io.leaf.server.api.RefusedException.Reason;
import io.leaf.support.KeyPatterns;

/**
 * The clients that may take ranges of numbers and lease worker IDs, and the keys and
 * values of {@code leaf.name} that each client may use. If no clients are configured and
 * the server listens on its loopback address only, every process on the same machine may
 * lease worker IDs, and may take ranges of the keys that require no token. If no clients
 * are configured and the server listens on other addresses, no process may take ranges or
 * lease worker IDs.
 */
final class Clients {

	private final List<Client> clients = new ArrayList<>();

	private final Client local;

	/**
	 * Creates clients.
	 * @param clients the settings of the clients, by name
	 * @param loopback whether the server listens on the loopback address only
	 * @param protectedKeys the keys in {@code leaf.server.tokens}. If no clients are
	 * configured, no process may take ranges of these keys
	 * @param clock the clock for the limits on the rates of requests
	 */
	Clients(Map<String, LeafServerProperties.Client> clients, boolean loopback, Set<String> protectedKeys,
			TimeMeter clock) {
		clients.forEach((name, settings) -> this.clients.add(new Client(name,
				settings.tokens().values().stream().map(Tokens::digest).toList(), new KeyPatterns(settings.keys()),
				Set.of(), new KeyPatterns(settings.names()), rate(settings.requestsPerSecond(), clock))));
		this.local = (clients.isEmpty() && loopback)
				? new Client("local", List.of(), KeyPatterns.ALL, protectedKeys, KeyPatterns.ALL, null) : null;
	}

	private static Bucket rate(int requestsPerSecond, TimeMeter clock) {
		return Bucket.builder()
			.addLimit(
					(limit) -> limit.capacity(requestsPerSecond).refillGreedy(requestsPerSecond, Duration.ofSeconds(1)))
			.withCustomTimePrecision(clock)
			.build();
	}

	/**
	 * Returns the client that sent a request. No token is required if no clients are
	 * configured and the server listens on its loopback address only.
	 * @param authorization the header {@code Authorization}, or {@code null} if the
	 * request has none
	 * @throws RefusedException if a token is required, but the header contains no token,
	 * or no client has the token
	 */
	Client of(String authorization) {
		if (this.local != null) {
			return this.local;
		}
		byte[] digest = Tokens.digestOf(authorization);
		for (Client client : this.clients) {
			if (client.digests().stream().anyMatch((other) -> MessageDigest.isEqual(other, digest))) {
				return client;
			}
		}
		throw new RefusedException(Reason.UNAUTHORIZED, this.clients.isEmpty()
				? "This server hands out neither ranges nor worker IDs. Set leaf.server.clients.<name>.token on the server, or let the server listen on the loopback address only (server.address=127.0.0.1)"
				: "The token (Authorization: Bearer <token>) is missing, or no client in leaf.server.clients on the server has this token. Set leaf.server.token in the application");
	}

	/**
	 * A client.
	 *
	 * @param name the name
	 * @param digests the digests of the client's tokens
	 * @param keys patterns of the keys that the client may use
	 * @param except keys that the client may not use, even if a pattern matches
	 * @param names patterns of the values of {@code leaf.name} whose worker IDs the
	 * client may lease
	 * @param rate the limit on the rate of requests, or {@code null} for no limit
	 */
	record Client(String name, List<byte[]> digests, KeyPatterns keys, Set<String> except, KeyPatterns names,
			Bucket rate) {

		/**
		 * Counts a request of this client.
		 * @throws RefusedException if the client sends more requests per second than it
		 * may
		 */
		void requireRate() {
			if (this.rate != null && !this.rate.tryConsume(1)) {
				throw new RefusedException(Reason.TOO_MANY,
						"Client '%1$s' sends too many requests. Send fewer, or raise leaf.server.clients.%1$s.requests-per-second on the server"
							.formatted(this.name));
			}
		}

		/**
		 * Returns whether this client may use a key.
		 */
		boolean mayUse(String key) {
			return this.keys.matches(key) && !this.except.contains(key);
		}

		/**
		 * Checks that this client may lease worker IDs of a {@code leaf.name}.
		 * @throws RefusedException if the client may not
		 */
		void requireName(String leafName) {
			if (!this.names.matches(leafName)) {
				throw new RefusedException(Reason.FORBIDDEN,
						"Client '%s' may not lease worker IDs of leaf.name '%s'. Add a matching pattern to leaf.server.clients.%s.names on the server (now: %s)"
							.formatted(this.name, leafName, this.name, String.join(", ", this.names.patterns())));
			}
		}

		/**
		 * Checks that this client may use a key.
		 * @throws RefusedException if the client may not
		 */
		void require(String key) {
			if (this.except.contains(key)) {
				throw new RefusedException(Reason.FORBIDDEN,
						"Key '%s' requires a token (leaf.server.tokens), so clients without a token cannot take its ranges. Add the client to leaf.server.clients on the server"
							.formatted(key));
			}
			if (!this.keys.matches(key)) {
				throw new RefusedException(Reason.FORBIDDEN,
						"Client '%s' may not use key '%s'. Add a matching pattern to leaf.server.clients.%s.keys on the server (now: %s)"
							.formatted(this.name, key, this.name, String.join(", ", this.keys.patterns())));
			}
		}

	}

}
