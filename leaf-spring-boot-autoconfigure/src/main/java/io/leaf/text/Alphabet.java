// SPDX-License-Identifier: Apache-2.0

package io.leaf.text;

import java.util.Locale;

/**
 * The digits with which numbers are written. The digits are listed in the order of their
 * values, which is also the order of their code points. Texts of the same width therefore
 * sort in the order of their numbers.
 */
enum Alphabet {

	DECIMAL("0123456789"),

	BASE36("0123456789abcdefghijklmnopqrstuvwxyz"),

	/**
	 * Crockford's Base32, which lacks I, L, O and U. It is the only alphabet that is read
	 * leniently. Lower case is accepted, I and L are read as 1, O is read as 0, and
	 * hyphens between characters are ignored.
	 */
	CROCKFORD("0123456789ABCDEFGHJKMNPQRSTVWXYZ"),

	BASE62("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz");

	private static final String ALSO_READ = "abcdefghjkmnpqrstvwxyzILOilo";

	private final String characters;

	Alphabet(String characters) {
		this.characters = characters;
	}

	/**
	 * Returns the characters that are accepted as digits when a text is read.
	 */
	String readable() {
		return (this == CROCKFORD) ? this.characters + ALSO_READ : this.characters;
	}

	boolean contains(char c) {
		return this.characters.indexOf(c) >= 0;
	}

	boolean skipsHyphens() {
		return this == CROCKFORD;
	}

	/**
	 * Returns whether the given character, at the beginning of the literal that follows a
	 * number, could be read as part of the number.
	 */
	boolean continuesWith(char c) {
		return readable().indexOf(c) >= 0 || (skipsHyphens() && c == '-');
	}

	/**
	 * Returns how many characters a number has without leading zeros.
	 */
	int widthOf(long number) {
		int width = 1;
		for (long rest = number / radix(); rest > 0; rest /= radix()) {
			width++;
		}
		return width;
	}

	/**
	 * Returns the largest number that fits the given width, at most
	 * {@link Long#MAX_VALUE}.
	 */
	long largest(int width) {
		long largest = 0;
		for (int i = 0; i < width; i++) {
			if (largest > (Long.MAX_VALUE - radix() + 1) / radix()) {
				return Long.MAX_VALUE;
			}
			largest = largest * radix() + radix() - 1;
		}
		return largest;
	}

	/**
	 * Appends a number to a text, with leading zeros up to the given width.
	 */
	void write(StringBuilder text, long number, int width) {
		int start = text.length();
		text.setLength(start + width);
		long rest = number;
		for (int i = start + width - 1; i >= start; i--) {
			text.setCharAt(i, this.characters.charAt((int) (rest % radix())));
			rest /= radix();
		}
	}

	/**
	 * Converts the characters that were read for a number to characters of this alphabet.
	 */
	String canonical(String read) {
		return (this != CROCKFORD) ? read
				: read.replace("-", "").toUpperCase(Locale.ROOT).replace('I', '1').replace('L', '1').replace('O', '0');
	}

	/**
	 * Reads a number.
	 * @param canonical characters of this alphabet
	 * @return the number, or -1 if it is too large for a {@code long}
	 */
	long read(String canonical) {
		long number = 0;
		for (int i = 0; i < canonical.length(); i++) {
			int digit = this.characters.indexOf(canonical.charAt(i));
			if (number > (Long.MAX_VALUE - digit) / radix()) {
				return -1;
			}
			number = number * radix() + digit;
		}
		return number;
	}

	private int radix() {
		return this.characters.length();
	}

}
