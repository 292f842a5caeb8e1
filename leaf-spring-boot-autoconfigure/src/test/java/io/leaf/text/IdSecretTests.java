// SPDX-License-Identifier: Apache-2.0

package io.leaf.text;

import java.nio.charset.StandardCharsets;
import java.util.List;

import io.leaf.InvalidRequestException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class IdSecretTests {

	@ParameterizedTest
	@CsvSource({ "1:0123456789abcdef, 1", "z:0123456789abcdef, Z", "A::::::::::::::::::, A", "0:订单订单订单, 0" })
	void of_readsIdAndSecret(String text, char id) {
		IdSecret secret = IdSecret.of(text);
		assertThat(secret.id()).isEqualTo(id);
		assertThat(new String(secret.bytes(), StandardCharsets.UTF_8)).isEqualTo(text.substring(2));
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "1", ":", "1:", "1:0123456789abcde", "0123456789abcdefghijkl", "12:0123456789abcdef",
			"i:0123456789abcdef", "L:0123456789abcdef", "o:0123456789abcdef", "U:0123456789abcdef",
			"-:0123456789abcdef", "ı:0123456789abcdef", "é:0123456789abcdef", "订:0123456789abcdef" })
	void of_rejectsOtherForms_withoutShowingThem(String text) {
		assertThatIllegalArgumentException().isThrownBy(() -> IdSecret.of(text))
			.withMessageContaining("ID:SECRET")
			.withMessageContaining("at least 16 bytes")
			.withMessageNotContaining("0123456789");
	}

	@Test
	void of_reportsTheLengthOfAShortSecret() {
		assertThatIllegalArgumentException().isThrownBy(() -> IdSecret.of("1:0123456789abcde"))
			.withMessageEndingWith("This one has 15 bytes");
	}

	@Test
	void toString_doesNotShowTheSecret() {
		IdSecret secret = IdSecret.of("1:0123456789abcdef");
		assertThat(secret).hasToString("secret 1");
		assertThat(new IdFormatSettings("order", 0, List.of(secret)).toString()).doesNotContain("0123456789");
	}

	@Test
	void settings_refuseTwoSecretsWithOneId() {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> new IdFormatSettings("order", 0,
					List.of(IdSecret.of("a:0123456789abcdef"), IdSecret.of("A:ghijklmnopqrstuvwxyz"))))
			.withMessageContaining("different IDs")
			.withMessageContaining("the ID A");
	}

	@ParameterizedTest
	@ValueSource(ints = { -1, 19 })
	void settings_refuseDigitsOutOfRange(int digits) {
		assertThatIllegalArgumentException().isThrownBy(() -> new IdFormatSettings("order", digits, List.of()))
			.withMessage("digits must be from 0 to 18: was " + digits);
	}

	@Test
	void settings_refuseAnEmptyKey() {
		assertThatExceptionOfType(InvalidRequestException.class).isThrownBy(() -> new IdFormatSettings(""));
	}

}
