// SPDX-License-Identifier: Apache-2.0

package io.leaf.server.api;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashMap;
import java.util.Map;

/**
 * Tells who may ask for a key: everybody, or who knows its token. How long the comparison
 * takes says nothing about the token.
 */
final class Tokens {

	private static final String BEARER = "Bearer ";

	private final Map<String, byte[]> digests = new HashMap<>();

	Tokens(Map<String, String> tokens) {
		tokens.forEach((key, token) -> this.digests.put(key, digest(token)));
	}

	boolean allow(String key, String authorization) {
		byte[] expected = this.digests.get(key);
		if (expected == null) {
			return true;
		}
		// the name of a scheme is written in any case, RFC 9110
		return authorization != null && authorization.regionMatches(true, 0, BEARER, 0, BEARER.length())
				&& MessageDigest.isEqual(expected, digest(authorization.substring(BEARER.length())));
	}

	// digests have one length, so that not even the token's shows
	private static byte[] digest(String token) {
		try {
			return MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8));
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException("Every Java platform has SHA-256", ex);
		}
	}

}
