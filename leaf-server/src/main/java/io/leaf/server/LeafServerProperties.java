// SPDX-License-Identifier: Apache-2.0

package io.leaf.server;

import java.time.ZoneId;
import java.util.Map;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * What can be set of the server itself.
 *
 * @param compatibleErrors whether errors are answered as a deployed Leaf server does:
 * with status 500, whatever has gone wrong
 * @param tokens for each key that only some may ask for, the token that they send as
 * {@code Authorization: Bearer …}
 * @param zone the time zone in which {@code /decodeSnowflakeId} shows times; the one of
 * the machine unless set
 */
@ConfigurationProperties("leaf.server")
public record LeafServerProperties(@DefaultValue("false") boolean compatibleErrors,
		@DefaultValue Map<String, String> tokens, ZoneId zone) {

	public LeafServerProperties {
		zone = (zone != null) ? zone : ZoneId.systemDefault();
		tokens.forEach((key, token) -> {
			if (token.isBlank()) {
				throw new IllegalArgumentException(
						"leaf.server.tokens.%s is empty. Give it a token, or remove it".formatted(key));
			}
		});
	}

}
