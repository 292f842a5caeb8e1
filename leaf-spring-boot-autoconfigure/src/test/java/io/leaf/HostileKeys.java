// SPDX-License-Identifier: Apache-2.0

package io.leaf;

import io.leaf.support.IdArguments;
import java.util.Random;

/**
 * Hostile keys, generated from a seed: random text, too long, empty, blanks, control
 * characters, halves of surrogate pairs, SQL. Except for empty keys, each differs from
 * all before it.
 */
public final class HostileKeys {

	private static final String[] SQL = { "' OR '1'='1", "'; DROP TABLE leaf_alloc; --", "\" OR \"\"=\"", "%", "_",
			"\\' OR 1=1 #", "') UNION SELECT biz_tag, max_id, step FROM leaf_alloc --", "${jndi:ldap://x}", "?",
			"{d'x'}", ":key", "#{1/0}" };

	private static final String BLANKS = " \t\u00a0\u2003\u3000\ufeff";

	private final Random random;

	private int drawn;

	public HostileKeys(long seed) {
		this.random = new Random(seed);
	}

	/**
	 * Returns the next key.
	 * @return any text; {@link IdArguments#isKey(String)} returns whether it is a valid
	 * key
	 */
	public String next() {
		int number = this.drawn++;
		return switch (this.random.nextInt(10)) {
			case 0 -> (this.random.nextInt(10) == 0) ? "" : tooLong(number);
			case 1 -> blanks(number);
			case 2 -> random(0x20, 1 + this.random.nextInt(20)) + number;
			case 3 -> random(0xd800, 0xe000, 1 + this.random.nextInt(20)) + number;
			case 4 -> number + SQL[this.random.nextInt(SQL.length)];
			case 5 -> number + random(0x10000, 1 + this.random.nextInt(100));
			case 6 -> random(0x7f, 100) + number;
			case 7 -> "\u0000" + number;
			case 8 -> "order " + number;
			default -> "key-" + number;
		};
	}

	private String tooLong(int number) {
		return number + "x".repeat(IdArguments.MAX_KEY_LENGTH + this.random.nextInt(1000));
	}

	// encodes the number in blank characters, so that the keys differ
	private static String blanks(int number) {
		StringBuilder blanks = new StringBuilder();
		for (int rest = number + 1; rest > 0; rest /= BLANKS.length()) {
			blanks.append(BLANKS.charAt(rest % BLANKS.length()));
		}
		return blanks.toString();
	}

	private String random(int to, int length) {
		return random(0, to, length);
	}

	private String random(int from, int to, int length) {
		char[] characters = new char[length];
		for (int i = 0; i < length; i++) {
			characters[i] = (char) this.random.nextInt(from, to);
		}
		return new String(characters);
	}

}
