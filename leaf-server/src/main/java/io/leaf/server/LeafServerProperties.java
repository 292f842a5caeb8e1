// SPDX-License-Identifier: Apache-2.0

package io.leaf.server;

import java.time.ZoneId;
import java.util.Map;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Properties of the server itself.
 *
 * @param compatibleErrors whether error responses look like those of a deployed Leaf
 * server: with status 500 if no ID can be issued
 * @param tokens for each protected key, the token that clients must send as
 * {@code Authorization: Bearer …}
 * @param zone the time zone in which {@code /decodeSnowflakeId} shows times; by default
 * that of the machine
 */
@ConfigurationProperties("leaf.server")
public record LeafServerProperties(@DefaultValue("false") boolean compatibleErrors,
		@DefaultValue Map<String, String> tokens, ZoneId zone) {

	public LeafServerProperties {
		zone = (zone != null) ? zone : ZoneId.systemDefault();
		tokens.forEach((key, token) -> {
			if (token.isBlank()) {
				throw new IllegalArgumentException(
						"leaf.server.tokens.%s is empty. Set a token, or remove the property".formatted(key));
			}
		});
	}

}
