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

package io.leaf.snowflake.lease.zookeeper;

import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.leaf.snowflake.lease.WorkerLease;

/**
 * Reads and writes JSON objects whose values are strings and numbers, which is all that
 * the nodes hold: no reason to ask for a JSON library.
 */
final class FlatJson {

	private static final String STRING = "\"([^\"\\\\]*+(?:\\\\.[^\"\\\\]*+)*+)\"";

	private static final Pattern FIELD = Pattern
		.compile("\\s*+" + STRING + "\\s*+:\\s*+(?:" + STRING + "|([-+.\\w]++))\\s*+", Pattern.DOTALL);

	private static final Pattern ESCAPE = Pattern.compile("\\\\(?:u(\\p{XDigit}{4})|(.))", Pattern.DOTALL);

	/**
	 * Larger than anything that is written here. What is larger is garbage, on which no
	 * regular expression shall be let loose.
	 */
	private static final int MAX_LENGTH = 4096;

	private FlatJson() {
	}

	/**
	 * Writes an object.
	 * @param fields names, and values that are strings or whole numbers; in the order of
	 * the map
	 * @return ASCII, since a Leaf server reads in the character set of its system
	 */
	static byte[] write(Map<String, Object> fields) {
		StringBuilder json = new StringBuilder();
		fields.forEach((name, value) -> {
			json.append(json.isEmpty() ? '{' : ',').append(quote(name)).append(':');
			json.append((value instanceof String text) ? quote(text) : value);
		});
		return json.append('}').toString().getBytes(StandardCharsets.US_ASCII);
	}

	private static String quote(String text) {
		StringBuilder quoted = new StringBuilder("\"");
		for (char c : text.toCharArray()) {
			if (c == '"' || c == '\\') {
				quoted.append('\\').append(c);
			}
			else if (c < ' ' || c > '~') {
				quoted.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
			}
			else {
				quoted.append(c);
			}
		}
		return quoted.append('"').toString();
	}

	/**
	 * Reads an object.
	 * @param json what a node holds
	 * @return the fields that are not {@code null}; numbers as they are written there
	 * @throws IllegalArgumentException if it is no such object
	 */
	static Map<String, String> read(byte[] json) {
		require(json.length <= MAX_LENGTH);
		String text = new String(json, StandardCharsets.UTF_8).trim();
		require(text.length() >= 2 && text.startsWith("{") && text.endsWith("}"));
		String inner = text.substring(1, text.length() - 1);
		Map<String, String> fields = new LinkedHashMap<>();
		if (inner.isBlank()) {
			return fields;
		}
		Set<String> names = new HashSet<>();
		Matcher field = FIELD.matcher(inner);
		int start = 0;
		do {
			require(field.region(start, inner.length()).lookingAt());
			String name = unescape(field.group(1));
			// which of two would hold?
			require(names.add(name));
			if (field.group(2) != null) {
				fields.put(name, unescape(field.group(2)));
			}
			else if (!field.group(3).equals("null")) {
				fields.put(name, field.group(3));
			}
			start = field.end() + 1;
			require(field.end() == inner.length() || inner.charAt(field.end()) == ',');
		}
		while (start <= inner.length());
		return fields;
	}

	/**
	 * Returns a field that is a time, in milliseconds since 1970-01-01T00:00:00Z.
	 * @throws IllegalArgumentException if it is not, or lies after the year 9999
	 */
	static long time(Map<String, String> fields, String name) {
		String text = fields.get(name);
		if (text == null) {
			throw new IllegalArgumentException("field %s is missing".formatted(name));
		}
		try {
			long time = Long.parseLong(text);
			if (time >= 0 && time <= WorkerLease.MAX_TIME) {
				return time;
			}
		}
		catch (NumberFormatException ex) {
			throw new IllegalArgumentException(
					"field %s should be a number, but is %s".formatted(name, Oddities.quote(text)), ex);
		}
		throw new IllegalArgumentException(
				"field %s should be from 0 to %d, but is %s".formatted(name, WorkerLease.MAX_TIME, text));
	}

	private static String unescape(String text) {
		return ESCAPE.matcher(text).replaceAll((escape) -> Matcher.quoteReplacement(String.valueOf(character(escape))));
	}

	private static char character(MatchResult escape) {
		if (escape.group(1) != null) {
			return (char) Integer.parseInt(escape.group(1), 16);
		}
		char c = escape.group(2).charAt(0);
		return switch (c) {
			case 'b' -> '\b';
			case 'f' -> '\f';
			case 'n' -> '\n';
			case 'r' -> '\r';
			case 't' -> '\t';
			default -> c;
		};
	}

	private static void require(boolean valid) {
		if (!valid) {
			throw new IllegalArgumentException("it is not a JSON object of strings and numbers");
		}
	}

}
