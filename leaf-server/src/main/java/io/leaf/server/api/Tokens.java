// SPDX-License-Identifier: Apache-2.0

package io.leaf.server.api;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashMap;
import java.util.Map;

/**
 * The tokens of protected keys. Every client may use keys that have no token. How long
 * the check of a token takes reveals nothing about the expected token.
 */
final class Tokens {

	private static final String BEARER = "Bearer ";

	private final Map<String, byte[]> digests = new HashMap<>();

	Tokens(Map<String, String> tokens) {
		tokens.forEach((key, token) -> this.digests.put(key, digest(token)));
	}

	boolean allow(String key, String authorization) {
		byte[] expected = this.digests.get(key);
		return expected == null || MessageDigest.isEqual(expected, digestOf(authorization));
	}

	/**
	 * Returns the digest of the token in a header {@code Authorization}, or {@code null}
	 * if there is no token.
	 */
	static byte[] digestOf(String authorization) {
		// the name of the scheme is case-insensitive (RFC 9110)
		boolean bearer = authorization != null && authorization.regionMatches(true, 0, BEARER, 0, BEARER.length());
		return bearer ? digest(authorization.substring(BEARER.length())) : null;
	}

	// digests are compared instead of tokens, because the duration of a comparison could
	// reveal the length of a token, whereas all digests have the same length
	static byte[] digest(String token) {
		try {
			return MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8));
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException("SHA-256 is missing, although every Java platform must have it", ex);
		}
	}

}
