// SPDX-License-Identifier: Apache-2.0

package io.leaf.text;

/**
 * The hybrid systems of ISO 7064. They add one check character to a text. The check
 * character comes from the same set of characters as the text.
 * <p>
 * A single wrong character is always detected. A transposition of two adjacent characters
 * is missed for only one pair of neighbouring values. The characters before the two
 * determine this pair: for example, after some texts it is 4 and 5, and after other texts
 * 9 and 0. {@link #MOD_11_10} therefore misses one of 45 pairs, and {@link #MOD_37_36}
 * one of 630.
 * <p>
 * ISO 7064 defines hybrid systems only for 10, 26 and 36 characters, but not for the 62
 * characters of {@link Alphabet#BASE62} and the 32 characters of
 * {@link Alphabet#CROCKFORD}. Numbers in Crockford's Base32 get a check character of
 * {@link #MOD_37_36} instead.
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
	 * @param characters the characters that the check character protects
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
