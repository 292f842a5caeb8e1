// SPDX-License-Identifier: Apache-2.0

package io.leaf.text;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * Draws templates, most of them valid, and IDs of all magnitudes.
 */
final class RandomFormats {

	static final IdFormatSettings SETTINGS = new IdFormatSettings("order", 6,
			List.of(IdSecret.of("1:correct horse battery staple"), IdSecret.of("7:ghijklmnopqrstuvwxyz")));

	private static final List<String> LITERALS = List.of("", "", "-", "ORD-", "A", "z", "0", "1", "-1", "/", "订", "U",
			"$");

	private final Random random;

	RandomFormats(long seed) {
		this.random = new Random(seed);
	}

	/**
	 * Returns a random format. A template that is refused is drawn again.
	 */
	IdFormat next() {
		while (true) {
			try {
				return IdFormat.of(template(), SETTINGS);
			}
			catch (IllegalArgumentException ex) {
				// ambiguous
			}
		}
	}

	/**
	 * Returns a format whose texts often look like those of another one: with another
	 * width or alphabet.
	 */
	IdFormat nextLike(IdFormat other) {
		String alphabet = List.of("number", "crockford", "base36", "base62").get(this.random.nextInt(4));
		String template = other.template().replaceFirst("number|crockford|base36|base62", alphabet);
		if (this.random.nextBoolean()) {
			template = template.replaceFirst(":\\d+",
					this.random.nextBoolean() ? "" : ":" + (1 + this.random.nextInt(21)));
		}
		try {
			return IdFormat.of(template, SETTINGS);
		}
		catch (IllegalArgumentException ex) {
			return next();
		}
	}

	private String template() {
		List<String> numbers = new ArrayList<>();
		switch (this.random.nextInt(6)) {
			case 0 -> numbers.add(number("number", 19));
			case 1 -> numbers.add(number("crockford", 13));
			case 2 -> numbers.add(number("base36", 13));
			case 3 -> numbers.add(number("base62", 11));
			case 4 -> numbers
				.add(this.random.nextBoolean() ? "{masked}" : "{masked:%d}".formatted(20 + this.random.nextInt(44)));
			default -> {
				numbers.add(number("period", 13));
				numbers.add(number("n", 6));
				Collections.shuffle(numbers, this.random);
			}
		}
		if (this.random.nextBoolean()) {
			numbers.add("{check}");
		}
		StringBuilder template = new StringBuilder(literal());
		numbers.forEach((part) -> template.append(part).append(literal()));
		return template.toString();
	}

	private String number(String name, int maxWidth) {
		return this.random.nextBoolean() ? "{" + name + "}"
				: "{%s:%d}".formatted(name, 1 + this.random.nextInt(maxWidth));
	}

	private String literal() {
		return LITERALS.get(this.random.nextInt(LITERALS.size()));
	}

	/**
	 * Returns an ID of any number of bits, often near a power of a radix.
	 */
	long id() {
		long radix = List.of(2, 10, 32, 36, 62).get(this.random.nextInt(5));
		long power = 1;
		for (int i = this.random.nextInt(63); i > 0 && power <= Long.MAX_VALUE / radix; i--) {
			power *= radix;
		}
		return switch (this.random.nextInt(4)) {
			case 0 -> power;
			case 1 -> power - 1;
			case 2 -> Long.MAX_VALUE - this.random.nextInt(3);
			default -> this.random.nextLong() >>> (1 + this.random.nextInt(63));
		};
	}

	/**
	 * Returns a text that differs in a character, as after a typing error.
	 */
	String mistyped(String text) {
		String characters = "019AZaziIlLoOuU-" + text;
		char c = characters.charAt(this.random.nextInt(characters.length()));
		int at = this.random.nextInt(text.length());
		return switch (this.random.nextInt(4)) {
			case 0 -> text.substring(0, at) + c + text.substring(at);
			case 1 -> text.substring(0, at) + text.substring(at + 1);
			case 2 -> (at == 0) ? c + text
					: text.substring(0, at - 1) + text.charAt(at) + text.charAt(at - 1) + text.substring(at + 1);
			default -> text.substring(0, at) + c + text.substring(at + 1);
		};
	}

	/**
	 * Returns a text in which one character is replaced by another one, but not by a
	 * hyphen, which a format may ignore.
	 */
	String withOtherCharacter(String text) {
		int at = this.random.nextInt(text.length());
		while (true) {
			char c = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".charAt(this.random.nextInt(62));
			if (c != text.charAt(at)) {
				return text.substring(0, at) + c + text.substring(at + 1);
			}
		}
	}

}
