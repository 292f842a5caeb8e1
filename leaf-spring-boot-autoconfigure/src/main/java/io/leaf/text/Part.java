// SPDX-License-Identifier: Apache-2.0

package io.leaf.text;

/**
 * A part of a format: a literal, a number or a check character.
 */
sealed interface Part {

	/**
	 * Text that is the same for all IDs.
	 */
	record Literal(String text) implements Part {

	}

	/**
	 * A number that depends on the ID.
	 *
	 * @param kind which number is shown
	 * @param alphabet the digits that the number is written with
	 * @param width the fixed number of characters, not counting the ID of a secret, or 0
	 * if the number of characters is variable
	 * @param largest the largest number that can be shown
	 */
	record Number(Kind kind, Alphabet alphabet, int width, long largest) implements Part {

		boolean isFixedWidth() {
			return this.width > 0;
		}

		/**
		 * Returns how many characters the number has at most, not counting the ID of a
		 * secret.
		 */
		int maxWidth() {
			return isFixedWidth() ? this.width : this.alphabet.widthOf(this.largest);
		}

		/**
		 * Returns how many bits the largest number has.
		 */
		int bits() {
			return Long.SIZE - Long.numberOfLeadingZeros(this.largest);
		}

	}

	/**
	 * A check character for all numbers before it.
	 *
	 * @param alphabet the digits that these numbers are written with
	 */
	record Check(Alphabet alphabet) implements Part {

		/**
		 * Returns the check character of the given numbers, in the letter case of the
		 * alphabet.
		 */
		char of(CharSequence numbers) {
			CheckDigit system = (this.alphabet == Alphabet.DECIMAL) ? CheckDigit.MOD_11_10 : CheckDigit.MOD_37_36;
			char check = system.of(numbers);
			return (this.alphabet == Alphabet.BASE36) ? Character.toLowerCase(check) : check;
		}

		/**
		 * Returns the characters that are accepted as check characters when a text is
		 * read.
		 */
		String readable() {
			return (this.alphabet == Alphabet.DECIMAL) ? Alphabet.DECIMAL.readable()
					: (this.alphabet == Alphabet.BASE36) ? Alphabet.BASE36.readable() : Alphabet.BASE62.readable();
		}

		/**
		 * Returns whether a character that was read is the check character of the given
		 * numbers. After a number in Crockford's Base32, the check character may be in
		 * lower case. In the number, O is read as 0, and I and L are read as 1. The check
		 * characters O, I and L, however, differ from 0 and 1: if they were read as 0 and
		 * 1, a wrong character in the number could go unnoticed.
		 */
		boolean matches(char read, CharSequence numbers) {
			char check = (this.alphabet == Alphabet.CROCKFORD) ? Character.toUpperCase(read) : read;
			return check == of(numbers);
		}

	}

	/**
	 * The numbers that a part can show.
	 */
	enum Kind {

		/**
		 * The ID.
		 */
		ID,

		/**
		 * The period: the ID without its last decimal digits, which are the number within
		 * the period.
		 */
		PERIOD,

		/**
		 * The number within the period: the last decimal digits of the ID.
		 */
		NUMBER_IN_PERIOD,

		/**
		 * The masked ID, preceded by the ID of the secret, which is one character.
		 */
		MASKED

	}

}
