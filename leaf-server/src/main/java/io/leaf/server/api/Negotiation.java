// SPDX-License-Identifier: Apache-2.0

package io.leaf.server.api;

import java.util.List;

import jakarta.servlet.http.HttpServletRequest;

import org.springframework.http.HttpHeaders;
import org.springframework.http.InvalidMediaTypeException;
import org.springframework.http.MediaType;

/**
 * Decides between text and JSON. Text wins wherever the client takes it as gladly:
 * clients of a deployed Leaf server, many of which name JSON first by default, expect
 * digits.
 */
final class Negotiation {

	private Negotiation() {
	}

	static boolean prefersJson(HttpServletRequest request) {
		String accept = request.getHeader(HttpHeaders.ACCEPT);
		if (accept == null || accept.equals(MediaType.ALL_VALUE) || !accept.contains("json")) {
			return false;
		}
		try {
			List<MediaType> types = MediaType.parseMediaTypes(accept);
			return quality(types, MediaType.APPLICATION_JSON) > quality(types, MediaType.TEXT_PLAIN);
		}
		catch (InvalidMediaTypeException ex) {
			// what cannot be read is not a wish for JSON
			return false;
		}
	}

	private static double quality(List<MediaType> accepted, MediaType type) {
		return accepted.stream()
			.filter((candidate) -> candidate.includes(type))
			.mapToDouble(MediaType::getQualityValue)
			.max()
			.orElse(0);
	}

}
