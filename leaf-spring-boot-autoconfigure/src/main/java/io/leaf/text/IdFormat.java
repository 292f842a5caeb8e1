// SPDX-License-Identifier: Apache-2.0

package io.leaf.text;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import io.leaf.IdGenerationException;
import io.leaf.InvalidRequestException;
import io.leaf.text.Part.Check;
import io.leaf.text.Part.Kind;
import io.leaf.text.Part.Literal;
import io.leaf.text.Part.Number;
import org.jspecify.annotations.Nullable;

/**
 * Converts IDs to texts and back. The form of the texts is described by a template, such
 * as {@code ORD-{crockford}}.
 * <p>
 * A template consists of literals and the following parts. A template contains the ID
 * once, either as one of the first five parts, or as {@code {period}} and {@code {n}}
 * together.
 * <ul>
 * <li>{@code {number}}: the ID in decimal, up to 19 digits; {@code {number:8}}: the ID in
 * exactly 8 digits, with leading zeros. The widths of the following parts, such as 8 in
 * {@code {base36:8}}, have the same effect
 * <li>{@code {base36}}, {@code {base36:8}}: the ID in digits and lower-case letters, up
 * to 13 characters
 * <li>{@code {base62}}, {@code {base62:8}}: the ID in digits, upper-case and lower-case
 * letters, up to 11 characters
 * <li>{@code {crockford}}, {@code {crockford:8}}: the ID in Crockford's Base32 in upper
 * case, up to 13 characters. The parser also accepts what people may type: lower case, I
 * and L for 1, O for 0, and hyphens between the characters
 * <li>{@code {masked}}, {@code {masked:40}}: the masked ID in Crockford's Base32,
 * preceded by the one character that identifies the secret. The argument is the number of
 * bits of the largest ID, from 20 to 63. Without an argument, every ID fits. The width is
 * fixed, for example 14 characters for 63 bits, and 9 characters for 40 bits
 * <li>{@code {period}} and {@code {n}}, {@code {n:6}}: for IDs that consist of a period
 * and a number within this period, both in decimal. The last decimal digits of such an ID
 * are the number, and the digits before them are the period, for example a date
 * <li>{@code {check}}: a check character of ISO 7064 for all numbers before it: MOD 11,10
 * for decimal digits, MOD 37,36 for all others. It cannot be combined with
 * {@code {base62}}
 * </ul>
 * <p>
 * The text depends only on the ID and the format, not on the time. Each ID that fits the
 * widths of the format has one text, no two IDs have the same text, and
 * {@code parse(format(id))} is {@code id}. {@link #parse} accepts the texts that
 * {@link #format} returns, other spellings of Crockford's Base32, and texts that were
 * created with former formats or former secrets. All other texts are rejected.
 * <p>
 * Texts without {@code {masked}} sort in the order of their IDs if all widths are fixed,
 * {@code {period}} (if present) precedes {@code {n}}, and the texts are compared by
 * {@link String#compareTo} or by a binary collation. Texts with {@code {masked}} never
 * sort in the order of their IDs. A collation that ignores case sorts texts with
 * {@code {base62}} in another order, and treats some of these texts as equal.
 * <p>
 * With a check character, one wrong digit or letter is always detected. If two adjacent
 * characters are transposed, MOD 11,10 misses this for 1 of 45 pairs of characters, and
 * MOD 37,36 for 1 of 630.
 * <p>
 * Masking hides the order of the IDs, and how many IDs there are. Masking does not
 * replace authorization, because a client that knows a text may have received the text
 * from another client. Store the ID rather than the masked text, because the text changes
 * with a new secret, does not sort in the order of the IDs, and reveals the ID only with
 * the secret.
 * <p>
 * Instances are immutable and safe for use by any number of threads.
 */
public final class IdFormat {

	private static final int MAX_QUOTED = 40;

	private final String template;

	private final @Nullable IdFormatSettings settings;

	private final List<Part> parts;

	private final Pattern pattern;

	private final Map<Character, MaskedNumbers> maskedBySecret;

	private final List<IdFormat> former;

	private IdFormat(String template, @Nullable IdFormatSettings settings, List<Part> parts, List<IdFormat> former) {
		this.template = template;
		this.settings = settings;
		this.parts = parts;
		this.pattern = Template.pattern(parts);
		this.maskedBySecret = maskedBySecret(settings, parts);
		this.former = List.copyOf(former);
	}

	/**
	 * Creates a format from a template that contains neither {@code {masked}} nor
	 * {@code {period}} and {@code {n}}.
	 * @param template the template
	 * @return the format
	 * @throws IllegalArgumentException if the template is invalid
	 */
	public static IdFormat of(String template) {
		return new IdFormat(template, null, Template.parts(template, null), List.of());
	}

	/**
	 * Creates a format for the IDs of a key.
	 * @param template the template
	 * @param settings the settings that depend on the key
	 * @return the format
	 * @throws IllegalArgumentException if the template is invalid
	 */
	public static IdFormat of(String template, IdFormatSettings settings) {
		return new IdFormat(template, settings, Template.parts(template, settings), List.of());
	}

	/**
	 * Returns a format that formats IDs like this format, and that also parses the texts
	 * of former formats of the same key.
	 * @param templates the templates of the former formats
	 * @return a format
	 * @throws IllegalArgumentException if a template is invalid, or if there are texts
	 * that two of the formats would parse as different IDs
	 */
	public IdFormat withFormer(List<String> templates) {
		List<IdFormat> all = new ArrayList<>(List.of(this));
		for (String former : templates) {
			IdFormat format = new IdFormat(former, this.settings, Template.parts(former, this.settings), List.of());
			all.forEach((other) -> checkDistinguishable(other, format));
			all.add(format);
		}
		return new IdFormat(this.template, this.settings, this.parts, all.subList(1, all.size()));
	}

	private static void checkDistinguishable(IdFormat newer, IdFormat older) {
		String example = CommonText.example(newer.parts, older.parts);
		if (example != null) {
			throw new IllegalArgumentException(
					"Texts such as '%s' would have one ID in the format '%s' and another ID in the former format '%s'. Add a literal to the newer format, so that its texts differ from the texts of the former format, or remove the former format"
						.formatted(example, newer.template, older.template));
		}
	}

	/**
	 * Returns the template.
	 * @return the template, which contains no secret
	 */
	public String template() {
		return this.template;
	}

	/**
	 * Formats an ID.
	 * @param id the ID
	 * @return its text
	 * @throws InvalidRequestException if the ID is negative
	 * @throws IdGenerationException if the ID does not fit the widths of this format
	 */
	public String format(long id) {
		if (id < 0) {
			throw new InvalidRequestException("An ID must be zero or greater: was %d".formatted(id));
		}
		StringBuilder text = new StringBuilder();
		StringBuilder numbers = new StringBuilder();
		for (Part part : this.parts) {
			if (part instanceof Literal literal) {
				text.append(literal.text());
			}
			else if (part instanceof Number number) {
				int start = numbers.length();
				write(number, id, numbers);
				text.append(numbers, start, numbers.length());
			}
			else if (part instanceof Check check) {
				text.append(check.of(numbers));
			}
		}
		return text.toString();
	}

	private void write(Number part, long id, StringBuilder text) {
		long number = switch (part.kind()) {
			case ID, MASKED -> id;
			case PERIOD -> id / settings().scale();
			case NUMBER_IN_PERIOD -> id % settings().scale();
		};
		if (number > part.largest()) {
			throw new IdGenerationException(
					"ID %d%s does not fit the format '%s': %d is larger than %d. Choose a format with room for larger numbers, and keep the current format as a former format"
						.formatted(id, ofKey(), this.template, number, part.largest()));
		}
		if (part.kind() == Kind.MASKED) {
			IdSecret secret = settings().secrets().get(0);
			text.append(secret.id());
			number = maskedBy(secret.id()).mask(number);
		}
		part.alphabet().write(text, number, part.isFixedWidth() ? part.width() : part.alphabet().widthOf(number));
	}

	/**
	 * Parses a text of this format, or of one of its former formats.
	 * @param text the text
	 * @return the ID
	 * @throws InvalidRequestException if the text is not the text of an ID in any of
	 * these formats
	 */
	public long parse(String text) {
		Reading reading = read(text);
		for (int i = 0; !reading.isId() && i < this.former.size(); i++) {
			Reading other = this.former.get(i).read(text);
			reading = (other.isId() || reading.problem() == null) ? other : reading;
		}
		if (!reading.isId()) {
			String formats = (this.former.isEmpty()) ? "the format '%s'".formatted(this.template)
					: "the formats '%s' and %s".formatted(this.template,
							this.former.stream()
								.map((format) -> "'" + format.template + "'")
								.collect(Collectors.joining(", ")));
			throw new InvalidRequestException("'%s' is not the text of an ID%s in %s%s".formatted(quoted(text), ofKey(),
					formats, (reading.problem() != null) ? ": " + reading.problem() : ""));
		}
		return reading.id();
	}

	/**
	 * Reads a text of this format, without trying the former formats.
	 */
	private Reading read(String text) {
		Matcher matcher = this.pattern.matcher(text);
		if (!matcher.matches()) {
			return Reading.NONE;
		}
		long id = 0;
		int group = 0;
		StringBuilder numbers = new StringBuilder();
		for (Part part : this.parts) {
			if (part instanceof Number number) {
				String characters = number.alphabet().canonical(matcher.group(++group));
				numbers.append(characters);
				if (number.kind() == Kind.MASKED && !this.maskedBySecret.containsKey(characters.charAt(0))) {
					return Reading.not("no secret with the ID %s is configured".formatted(characters.charAt(0)));
				}
				long share = shareOfId(number, characters);
				if (share < 0) {
					return Reading.NONE;
				}
				id += share;
			}
			else if (part instanceof Check check && !check.matches(matcher.group(++group).charAt(0), numbers)) {
				return Reading.not("its check character is wrong, so it was probably mistyped");
			}
		}
		return (id >= 0) ? new Reading(id, null) : Reading.NONE;
	}

	/**
	 * Returns what a number contributes to the ID, or -1 if {@link #format} never writes
	 * a number with the given characters.
	 */
	private long shareOfId(Number part, String characters) {
		boolean isMasked = part.kind() == Kind.MASKED;
		long number = part.alphabet().read(isMasked ? characters.substring(1) : characters);
		boolean leadingZero = !part.isFixedWidth() && characters.length() > 1 && characters.charAt(0) == '0';
		if (number < 0 || number > part.largest() || leadingZero) {
			return -1;
		}
		return switch (part.kind()) {
			case ID, NUMBER_IN_PERIOD -> number;
			case PERIOD -> number * settings().scale();
			case MASKED -> maskedBy(characters.charAt(0)).unmask(number);
		};
	}

	private static Map<Character, MaskedNumbers> maskedBySecret(@Nullable IdFormatSettings settings, List<Part> parts) {
		Map<Character, MaskedNumbers> maskedBySecret = new HashMap<>();
		for (Part part : parts) {
			if (settings != null && part instanceof Number number && number.kind() == Kind.MASKED) {
				settings.secrets()
					.forEach((secret) -> maskedBySecret.put(secret.id(),
							new MaskedNumbers(secret, settings.key(), number.bits())));
			}
		}
		return Map.copyOf(maskedBySecret);
	}

	private MaskedNumbers maskedBy(char secretId) {
		return Objects.requireNonNull(this.maskedBySecret.get(secretId));
	}

	private IdFormatSettings settings() {
		return Objects.requireNonNull(this.settings);
	}

	private String ofKey() {
		return (this.settings != null) ? " of key '%s'".formatted(this.settings.key()) : "";
	}

	private static String quoted(String text) {
		String shown = (text.length() <= MAX_QUOTED) ? text : text.substring(0, MAX_QUOTED) + "…";
		// replaces control and format characters, lone surrogates, unassigned code
		// points, and line separators
		return shown.replaceAll("[\\p{C}\\p{Zl}\\p{Zp}]", "?");
	}

	@Override
	public String toString() {
		return this.template;
	}

	/**
	 * The result of reading a text.
	 *
	 * @param id the ID, or -1 if the text has none
	 * @param problem why the text has no ID, or {@code null} if the text has an ID or is
	 * simply not a text of the format
	 */
	private record Reading(long id, @Nullable String problem) {

		private static final Reading NONE = new Reading(-1, null);

		static Reading not(String problem) {
			return new Reading(-1, problem);
		}

		boolean isId() {
			return this.id >= 0;
		}

	}

}
