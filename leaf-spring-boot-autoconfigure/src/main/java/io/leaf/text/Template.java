// SPDX-License-Identifier: Apache-2.0

package io.leaf.text;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import io.leaf.text.Part.Check;
import io.leaf.text.Part.Kind;
import io.leaf.text.Part.Literal;
import io.leaf.text.Part.Number;
import org.jspecify.annotations.Nullable;

/**
 * Parses the template of a format, and rejects templates whose texts could not be
 * converted back to IDs.
 */
final class Template {

	private static final String PARTS = "{number}, {crockford}, {base36}, {base62}, {period}, {n}, {masked} or {check}";

	/**
	 * A part in braces, a literal, or a stray brace.
	 */
	private static final Pattern TOKEN = Pattern.compile("\\{([^{}:]*)(?::([^{}]*))?}|([^{}]+)|[{}]");

	private final String template;

	private final @Nullable IdFormatSettings settings;

	private final List<Part> parts = new ArrayList<>();

	private Template(String template, @Nullable IdFormatSettings settings) {
		this.template = template;
		this.settings = settings;
	}

	/**
	 * Returns the parts of a template.
	 * @throws IllegalArgumentException if the template is invalid; the message says why
	 * and what to do
	 */
	static List<Part> parts(String template, @Nullable IdFormatSettings settings) {
		Template reader = new Template(template, settings);
		reader.readParts();
		reader.checkNumbers();
		reader.checkBoundaries();
		return List.copyOf(reader.parts);
	}

	/**
	 * Returns a regular expression with one group for each part that is not a literal.
	 */
	static Pattern pattern(List<Part> parts) {
		StringBuilder regex = new StringBuilder();
		Part previous = null;
		for (Part part : parts) {
			if (part instanceof Literal literal) {
				regex.append(Pattern.quote(literal.text()));
			}
			else if (part instanceof Number number) {
				regex.append('(').append(regex(number)).append(')');
			}
			else if (part instanceof Check check) {
				boolean adjoins = previous instanceof Number && check.alphabet().skipsHyphens();
				regex.append(adjoins ? "-*+" : "").append("([").append(check.readable()).append("])");
			}
			previous = part;
		}
		return Pattern.compile(regex.toString());
	}

	private static String regex(Number number) {
		String character = "[" + number.alphabet().readable() + "]";
		int max = number.maxWidth() + ((number.kind() == Kind.MASKED) ? 1 : 0);
		int min = number.isFixedWidth() ? max : 1;
		// in the root locale, because other locales may have digits of their own
		return String.format(Locale.ROOT, "%s(?:%s%s){%d,%d}", character, number.alphabet().skipsHyphens() ? "-*+" : "",
				character, min - 1, max - 1);
	}

	private void readParts() {
		Matcher token = TOKEN.matcher(this.template);
		while (token.find()) {
			if (token.group(3) != null) {
				this.parts.add(literal(token.group(3)));
			}
			else if (token.group(1) != null) {
				this.parts.add(part(token.group(), token.group(1), token.group(2)));
			}
			else {
				throw invalid(
						"must have braces only around the name of a part (%s), because a literal cannot contain a brace",
						PARTS);
			}
		}
	}

	private Literal literal(String text) {
		require(text.codePoints().noneMatch(Character::isISOControl), "must not contain control characters");
		return new Literal(text);
	}

	private Part part(String source, String name, @Nullable String argument) {
		return switch (name) {
			case "number" -> id(source, Alphabet.DECIMAL, argument);
			case "crockford" -> id(source, Alphabet.CROCKFORD, argument);
			case "base36" -> id(source, Alphabet.BASE36, argument);
			case "base62" -> id(source, Alphabet.BASE62, argument);
			case "period" -> decimal(source, Kind.PERIOD, Long.MAX_VALUE / scale(source), argument);
			case "n" -> decimal(source, Kind.NUMBER_IN_PERIOD, scale(source) - 1, argument);
			case "masked" -> masked(source, argument);
			case "check" -> check(argument);
			default -> throw invalid("must consist of literals and the parts %s, but %s is not one of these parts",
					PARTS, source);
		};
	}

	private Number id(String source, Alphabet alphabet, @Nullable String width) {
		return number(source, Kind.ID, alphabet, Long.MAX_VALUE, width);
	}

	private Number decimal(String source, Kind kind, long largest, @Nullable String width) {
		return number(source, kind, Alphabet.DECIMAL, largest, width);
	}

	private Number number(String source, Kind kind, Alphabet alphabet, long largest, @Nullable String argument) {
		if (argument == null) {
			return new Number(kind, alphabet, 0, largest);
		}
		int width = argument(source, argument, "a width", 1, alphabet.widthOf(largest));
		return new Number(kind, alphabet, width, Math.min(largest, alphabet.largest(width)));
	}

	private long scale(String source) {
		if (this.settings == null || this.settings.digits() == 0) {
			throw invalid(
					"may contain {period} and {n} only if the key has a period, because they stand for the two parts of the IDs of such a key: replace %s, for example by {number}",
					source);
		}
		return this.settings.scale();
	}

	private Number masked(String source, @Nullable String argument) {
		if (this.settings == null || this.settings.secrets().isEmpty()) {
			throw invalid(
					"may contain {masked} only if there is a secret to mask the IDs with: configure the secret, or replace %s, for example by {crockford}",
					source);
		}
		int bits = (argument == null) ? MaskedNumbers.MAX_BITS
				: argument(source, argument, "a number of bits", MaskedNumbers.MIN_BITS, MaskedNumbers.MAX_BITS);
		long largest = Long.MAX_VALUE >>> (MaskedNumbers.MAX_BITS - bits);
		return new Number(Kind.MASKED, Alphabet.CROCKFORD, Alphabet.CROCKFORD.widthOf(largest), largest);
	}

	private int argument(String source, String argument, String meaning, int min, int max) {
		int value = argument.matches("[0-9]{1,2}") ? Integer.parseInt(argument) : -1;
		require(value >= min && value <= max, "must state %s from %d to %d in %s", meaning, min, max, source);
		return value;
	}

	private Check check(@Nullable String argument) {
		require(argument == null, "must write {check} without ':', because {check} is always one character");
		require(numbers().findAny().isPresent(), "must have {check} after the numbers that it protects");
		Alphabet alphabet = numbers().findAny().orElseThrow().alphabet();
		require(alphabet != Alphabet.BASE62,
				"cannot combine {check} with {base62}, because ISO 7064 has no check character for 62 characters: use {base36} or {crockford}, or remove {check}");
		return new Check(alphabet);
	}

	private void checkNumbers() {
		long ids = count(Kind.ID) + count(Kind.MASKED);
		long periods = count(Kind.PERIOD);
		long numbersInPeriod = count(Kind.NUMBER_IN_PERIOD);
		require(ids <= 1 && periods <= 1 && numbersInPeriod <= 1 && (ids == 0 || periods + numbersInPeriod == 0),
				"must contain the ID once: keep one of {number}, {crockford}, {base36}, {base62} and {masked}, or one {period} and one {n}");
		require(periods == numbersInPeriod,
				"must contain both {period} and {n}, because neither is unique without the other");
		require(ids + periods == 1,
				"must contain the ID: add {number}, {crockford}, {base36}, {base62} or {masked}, or {period} and {n}");
		long checks = this.parts.stream().filter(Check.class::isInstance).count();
		require(checks <= 1, "must contain {check} only once");
		boolean checked = false;
		for (Part part : this.parts) {
			require(!(checked && part instanceof Number), "must have {check} after the numbers that it protects");
			checked |= part instanceof Check;
		}
	}

	/**
	 * Checks that the end of each number of variable width can be found. Only parts of
	 * fixed width may stand between the number and the next literal or the end of the
	 * text, and the literal must not begin with a character that could belong to the
	 * number.
	 */
	private void checkBoundaries() {
		@Nullable Number open = null;
		for (Part part : this.parts) {
			if (part instanceof Literal literal) {
				char next = literal.text().charAt(0);
				require(open == null || !open.alphabet().continuesWith(next),
						"must show where each number ends, but '%s' could belong to the number before it. Begin this literal with another character, or give the number a fixed width, as in {number:8}",
						next);
				open = null;
			}
			else if (part instanceof Number number && !number.isFixedWidth()) {
				require(open == null,
						"must show where each number ends: write a literal between {period} and {n}, or give one of them a fixed width, as in {n:6}");
				open = number;
			}
		}
	}

	private Stream<Number> numbers() {
		return this.parts.stream().filter(Number.class::isInstance).map(Number.class::cast);
	}

	private long count(Kind kind) {
		return numbers().filter((number) -> number.kind() == kind).count();
	}

	private void require(boolean valid, String rule, Object... arguments) {
		if (!valid) {
			throw invalid(rule, arguments);
		}
	}

	private IllegalArgumentException invalid(String rule, Object... arguments) {
		return new IllegalArgumentException(
				"A format " + ((arguments.length > 0) ? String.format(Locale.ROOT, rule, arguments) : rule)
						+ ". This one is '%s'".formatted(this.template));
	}

}
