// SPDX-License-Identifier: Apache-2.0

package io.leaf.support;

import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Patterns for keys, in which {@code *} stands for any number of characters, including
 * none.
 *
 * @param patterns the patterns
 */
public record KeyPatterns(List<String> patterns) {

	/**
	 * Matches every key.
	 */
	public static final KeyPatterns ALL = new KeyPatterns(List.of("*"));

	/**
	 * Creates patterns.
	 * @param patterns the patterns
	 */
	public KeyPatterns {
		patterns = List.copyOf(patterns);
	}

	/**
	 * Returns whether a key matches one of the patterns. Letter case is significant.
	 */
	public boolean matches(String key) {
		return this.patterns.stream()
			.anyMatch((pattern) -> pattern.equals("*") || regex(pattern).matcher(key).matches());
	}

	private static Pattern regex(String pattern) {
		return Pattern.compile(
				Arrays.stream(pattern.split("\\*", -1)).map(Pattern::quote).collect(Collectors.joining(".*")),
				Pattern.DOTALL);
	}

}
