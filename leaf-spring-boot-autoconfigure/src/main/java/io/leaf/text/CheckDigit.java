// SPDX-License-Identifier: Apache-2.0

package io.leaf.text;

/**
 * The hybrid systems of ISO 7064. They add one check character to a text. The check
 * character comes from the same set of characters as the text.
 * <p>
 * A single wrong character is always detected. If two adjacent characters are transposed,
 * this is missed only for certain pairs of neighbouring values, such as 4 and 5 or 0 and
 * 9. {@link #MOD_11_10} misses one of 45 pairs, and {@link #MOD_37_36} one of 630.
 * <p>
 * The hybrid systems exist only for sets of characters whose size plus one is a prime
 * number. The 62 characters of {@link Alphabet#BASE62} and the 32 characters of
 * {@link Alphabet#CROCKFORD} do not meet this condition. Numbers in Crockford's Base32
 * get a check character of {@link #MOD_37_36} instead.
 */
enum CheckDigit {

	/**
	 * For decimal digits.
	 */
	MOD_11_10(10),

	/**
	 * For digits and letters of either case.
	 */
	MOD_37_36(36);

	private final int modulus;

	CheckDigit(int modulus) {
		this.modulus = modulus;
	}

	/**
	 * Returns the check character.
	 * @param characters the characters that it protects
	 * @return a digit or an upper-case letter
	 */
	char of(CharSequence characters) {
		int product = this.modulus;
		for (int i = 0; i < characters.length(); i++) {
			int sum = (product + Character.digit(characters.charAt(i), this.modulus)) % this.modulus;
			product = ((sum == 0) ? this.modulus : sum) * 2 % (this.modulus + 1);
		}
		int check = (this.modulus + 1 - product) % this.modulus;
		return Character.toUpperCase(Character.forDigit(check, this.modulus));
	}

}
