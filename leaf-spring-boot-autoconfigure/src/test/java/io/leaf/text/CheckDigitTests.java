// SPDX-License-Identifier: Apache-2.0

package io.leaf.text;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

class CheckDigitTests {

	// the examples of ISO 7064, of the Global Release Identifier, and of the German tax
	// number (IdNr)
	@ParameterizedTest
	@CsvSource({ "MOD_11_10, 0794, 5", "MOD_11_10, 8609574271, 9", "MOD_37_36, A12425GABC1234002, M",
			"MOD_37_36, a12425gabc1234002, M" })
	void of_isThePublishedCheckCharacter(CheckDigit system, String characters, char check) {
		assertThat(system.of(characters)).isEqualTo(check);
	}

	@ParameterizedTest
	@EnumSource
	void of_differsAfterEverySingleWrongCharacter(CheckDigit system) {
		for (String text : texts(system)) {
			for (int i = 0; i < text.length(); i++) {
				for (char wrong : characters(system)) {
					if (wrong != text.charAt(i)) {
						String mistyped = text.substring(0, i) + wrong + text.substring(i + 1);
						assertThat(system.of(mistyped)).as("%s for %s", mistyped, text).isNotEqualTo(system.of(text));
					}
				}
			}
		}
	}

	// After any first character, each pair of different characters is tried in both
	// orders. All states of the computation occur after one character.
	@ParameterizedTest
	@CsvSource({ "MOD_11_10, 45", "MOD_37_36, 630" })
	void of_missesOnlyTranspositionsOfCharactersWithNeighbouringValues(CheckDigit system, int oneOf) {
		char[] all = characters(system);
		List<String> missed = new ArrayList<>();
		int pairs = 0;
		for (char before : all) {
			for (int i = 0; i < all.length; i++) {
				for (int j = 0; j < i; j++) {
					pairs++;
					if (system.of("" + before + all[i] + all[j]) == system.of("" + before + all[j] + all[i])) {
						missed.add("" + all[j] + all[i]);
						assertThat(i - j).isIn(1, all.length - 1);
					}
				}
			}
		}
		assertThat(pairs).isEqualTo(missed.size() * oneOf);
	}

	// exchanges the check character and the character before it
	@ParameterizedTest
	@EnumSource
	void of_missesOneTranspositionWithTheCheckCharacter(CheckDigit system) {
		List<String> missed = new ArrayList<>();
		for (char before : characters(system)) {
			for (char last : characters(system)) {
				char check = system.of("" + before + last);
				if (check != last && system.of("" + before + check) == last) {
					missed.add("" + last + check);
				}
			}
		}
		assertThat(missed).containsExactlyInAnyOrder("01", "10");
	}

	private static List<String> texts(CheckDigit system) {
		List<String> texts = new ArrayList<>();
		for (char first : characters(system)) {
			for (char second : characters(system)) {
				texts.add("" + first + second);
			}
		}
		texts.add("00000000000000");
		texts.add("9223372036854775807");
		return texts;
	}

	private static char[] characters(CheckDigit system) {
		int radix = (system == CheckDigit.MOD_11_10) ? 10 : 36;
		char[] characters = new char[radix];
		for (int i = 0; i < radix; i++) {
			characters[i] = Integer.toString(i, radix).toUpperCase(Locale.ROOT).charAt(0);
		}
		return characters;
	}

}
