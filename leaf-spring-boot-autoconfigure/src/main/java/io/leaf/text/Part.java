// SPDX-License-Identifier: Apache-2.0

package io.leaf.text;

/**
 * A part of a format, in the order of the text.
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
	 * @param kind the number that it shows
	 * @param alphabet the characters that it is written with
	 * @param width the number of characters, or 0 if it depends on the number
	 * @param largest the largest number that fits
	 */
	record Number(Kind kind, Alphabet alphabet, int width, long largest) implements Part {

		boolean isFixedWidth() {
			return this.width > 0;
		}

		/**
		 * Returns the largest number of characters, without the ID of a secret.
		 */
		int maxWidth() {
			return isFixedWidth() ? this.width : this.alphabet.widthOf(this.largest);
		}

		/**
		 * Returns the number of bits of the largest number.
		 */
		int bits() {
			return Long.SIZE - Long.numberOfLeadingZeros(this.largest);
		}

	}

	/**
	 * A check character for all numbers before it.
	 *
	 * @param alphabet the characters that these numbers are written with
	 */
	record Check(Alphabet alphabet) implements Part {

		/**
		 * Returns the check character as it is written.
		 */
		char of(CharSequence numbers) {
			CheckDigit system = (this.alphabet == Alphabet.DECIMAL) ? CheckDigit.MOD_11_10 : CheckDigit.MOD_37_36;
			char check = system.of(numbers);
			return (this.alphabet == Alphabet.BASE36) ? Character.toLowerCase(check) : check;
		}

		/**
		 * Returns the characters that are accepted when a text is read.
		 */
		String readable() {
			return (this.alphabet == Alphabet.DECIMAL) ? Alphabet.DECIMAL.readable()
					: (this.alphabet == Alphabet.BASE36) ? Alphabet.BASE36.readable() : Alphabet.BASE62.readable();
		}

		/**
		 * Returns whether a character that was read is the check character. After a
		 * number in Crockford's Base32 its case may differ, but it is not read as
		 * leniently as the number: if O were read as 0, a wrong character before it could
		 * go unnoticed.
		 */
		boolean matches(char read, CharSequence numbers) {
			char check = (this.alphabet == Alphabet.CROCKFORD) ? Character.toUpperCase(read) : read;
			return check == of(numbers);
		}

	}

	/**
	 * The numbers that a part may show.
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
		 * The masked ID. The ID of the secret, which is one character, precedes it.
		 */
		MASKED

	}

}
