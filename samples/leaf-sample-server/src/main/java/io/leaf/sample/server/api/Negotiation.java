/*
 * Copyright 2026 the Leaf project authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *      https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */

package io.leaf.sample.server.api;

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
