// SPDX-License-Identifier: Apache-2.0

package io.leaf.text;

import java.util.List;
import java.util.Locale;
import java.util.stream.LongStream;

import io.leaf.IdGenerationException;
import io.leaf.InvalidRequestException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class IdFormatTests {

	private static final IdSecret SECRET = IdSecret.of("1:correct horse battery staple");

	private static final IdFormatSettings DAILY = new IdFormatSettings("order", 8, List.of());

	private static final IdFormatSettings MASKED = new IdFormatSettings("order", 0, List.of(SECRET));

	@ParameterizedTest
	@CsvSource({ "{number}, 0, 0", "{number}, 9223372036854775807, 9223372036854775807", "{number:8}, 42, 00000042",
			"{number:19}, 9223372036854775807, 9223372036854775807", "ORD-{crockford}, 1234567890, ORD-14SC0PJ",
			"{crockford}, 9223372036854775807, 7ZZZZZZZZZZZZ", "{crockford:13}, 31, 000000000000Z",
			"{base36}, 9223372036854775807, 1y2p0ij32e8e7", "{base36:8}, 1234567890, 00kf12oi",
			"{base62}, 9223372036854775807, AzL8n0Y58m7", "{base62:6}, 61, 00000z", "{number}{check}, 794, 7946",
			"{number:4}{check}, 794, 07945", "{crockford:4}{check}, 7, 00072", "{base36:4}-{check}, 7, 0007-2",
			"订单{number:3}号, 7, 订单007号", "$1-\\{number:3}, 7, $1-\\007" })
	void format_writesThePartsOfTheTemplate(String template, long id, String text) {
		IdFormat format = IdFormat.of(template);
		assertThat(format.format(id)).isEqualTo(text);
		assertThat(format.parse(text)).isEqualTo(id);
		assertThat(format.template()).isEqualTo(template);
	}

	@ParameterizedTest
	@CsvSource({ "SO-{period}-{n:6}, 2026112200000001, SO-20261122-000001",
			"{period}{n:8}, 2026112200000001, " + "2026112200000001", "{period}/{n}, 2026112200000001, 20261122/1",
			"{period:10}{n:8}, 1, 000000000000000001", "{n:8}.{period}, 2026112200000001, 00000001.20261122",
			"{period}-{n}, 9223372036854775807, 92233720368-54775807",
			"{period}-{n:6}-{check}, 2026112200000001, 20261122-000001-4",
			"{number}, 2026112200000001, 2026112200000001" })
	void format_writesPeriodAndNumber(String template, long id, String text) {
		IdFormat format = IdFormat.of(template, DAILY);
		assertThat(format.format(id)).isEqualTo(text);
		assertThat(format.parse(text)).isEqualTo(id);
	}

	// the numbers of the test vectors of MaskedNumbersTests, converted to Crockford's
	// Base32 by the same program
	@ParameterizedTest
	@CsvSource({ "{masked}, 0, 15B8ZN6MWHNJ29", "{masked:63}, 1000, 168EVRVPDR0853", "R-{masked:40}, 0, R-1ZJSPE3N2",
			"{masked:21}, 2097151, 106NB7" })
	void format_masksWithTheCurrentSecret(String template, long id, String text) {
		IdFormat format = IdFormat.of(template, MASKED);
		assertThat(format.format(id)).isEqualTo(text);
		assertThat(format.parse(text)).isEqualTo(id);
	}

	@Test
	void format_rejectsNegativeIds() {
		assertThatExceptionOfType(InvalidRequestException.class).isThrownBy(() -> IdFormat.of("{number}").format(-1))
			.withMessage("An ID must be zero or greater: was -1");
	}

	@ParameterizedTest
	@CsvSource({ "{number:4}, 10000, 10000 is larger than 9999", "{base36:2}, 1296, 1296 is larger than 1295",
			"{crockford:2}, 1024, 1024 is larger than 1023", "{base62:1}, 62, 62 is larger than 61",
			"{period}-{n:6}, 101000000, 1000000 is larger than 999999",
			"{period:2}-{n:6}, 10000000000, 100 is larger than 99",
			"{masked:20}, 1048576, 1048576 is larger than 1048575" })
	void format_rejectsIdsThatDoNotFit(String template, long id, String reason) {
		IdFormat format = IdFormat.of(template, new IdFormatSettings("order", 8, List.of(SECRET)));
		assertThatExceptionOfType(IdGenerationException.class).isThrownBy(() -> format.format(id))
			.withMessageContaining("ID %d of key 'order' does not fit the format '%s'".formatted(id, template))
			.withMessageContaining(reason)
			.withMessageContaining("keep the current format as a former format");
	}

	@ParameterizedTest
	@ValueSource(strings = { "14sc0pj", "14SCOPJ", "l4sc0pj", "I4SCoPJ", "1-4-S-C-0-P-J", "14SC--0PJ" })
	void parse_readsCrockfordAsPeopleType(String typed) {
		assertThat(IdFormat.of("ORD-{crockford}").parse("ORD-" + typed)).isEqualTo(1234567890);
		assertThat(IdFormat.of("ORD-{crockford:7}").parse("ORD-" + typed)).isEqualTo(1234567890);
	}

	@Test
	void parse_readsMaskedNumbersAsPeopleType() {
		assertThat(IdFormat.of("{masked}", MASKED).parse("i5b8-zn6m-whnj-29")).isZero();
	}

	@Test
	void parse_readsTheCheckCharacterOfCrockfordInEitherCaseButAcceptsNoOther() {
		IdFormat format = IdFormat.of("{crockford:4}{check}");
		// the first text with O as its check character
		String text = LongStream.range(0, 1000)
			.mapToObj(format::format)
			.filter((candidate) -> candidate.endsWith("O"))
			.findFirst()
			.orElseThrow();
		String number = text.substring(0, 4);
		long id = format.parse(text);
		assertThat(format.parse(number + "o")).isEqualTo(id);
		assertThat(format.parse(number + "-O")).isEqualTo(id);
		assertThatExceptionOfType(InvalidRequestException.class).isThrownBy(() -> format.parse(number + "0"));
	}

	@ParameterizedTest
	@CsvSource({ "{number}, 01", "{number}, 00", "{number}, ''", "{number}, -1", "{number}, +1", "{number}, ' 1'",
			"{number}, '1 '", "{number}, ٣", "{number}, 9223372036854775808", "{number}, 10000000000000000000",
			"{number:3}, 1", "{number:3}, 0001", "{number:19}, 9999999999999999999", "{base36}, A", "{base36}, 0a",
			"{base36}, 1y2p0ij32e8e8", "{base62}, -", "{base62}, AzL8n0Y58m8", "{base62}, 0A", "{crockford}, 01",
			"{crockford}, O1", "{crockford}, U", "{crockford}, -1", "{crockford}, 1-", "{crockford}, 8000000000000",
			"{crockford:13}, ZZZZZZZZZZZZZ", "A{number}, 1", "A{number}, a1", "A{number}B, A1", "A{number}B, A1b",
			"A{number}B, A1BB", "{number}, '1\n'" })
	void parse_rejectsEveryOtherSpelling(String template, String text) {
		assertThatExceptionOfType(InvalidRequestException.class).isThrownBy(() -> IdFormat.of(template).parse(text))
			.withMessageContaining("is not the text of an ID in the format '%s'".formatted(template));
	}

	@ParameterizedTest
	@CsvSource({ "{period}-{n}, 20261122-01", "{period}-{n}, 020261122-1", "{period}-{n}, 20261122-100000000",
			"{period}-{n}, 92233720369-0", "{period}-{n}, 92233720368-54775808", "{period}{n:8}, 00000001" })
	void parse_rejectsNumbersBeyondThePeriod(String template, String text) {
		assertThatExceptionOfType(InvalidRequestException.class)
			.isThrownBy(() -> IdFormat.of(template, DAILY).parse(text))
			.withMessageContaining("is not the text of an ID of key 'order'");
	}

	@Test
	void parse_reportsAWrongCheckCharacter() {
		assertThatExceptionOfType(InvalidRequestException.class)
			.isThrownBy(() -> IdFormat.of("SO-{number:4}{check}").parse("SO-07946"))
			.withMessage(
					"'SO-07946' is not the text of an ID in the format 'SO-{number:4}{check}': its check character is wrong, so it was probably mistyped");
	}

	@Test
	void parse_quotesNoLongTextAndNoControlCharacters() {
		assertThatExceptionOfType(InvalidRequestException.class)
			.isThrownBy(() -> IdFormat.of("{number}").parse("x\n\u001b" + "y".repeat(100_000)))
			.withMessageStartingWith("'x??" + "y".repeat(37) + "…' is not");
	}

	@ParameterizedTest
	@ValueSource(strings = { "\u0085", "\u009b", "\u202e", "\u200b", "\ufeff", "\u2028", "\u2029", "\ud800", "\udc00" })
	void parse_quotesNoInvisibleCharacter(String character) {
		assertThatExceptionOfType(InvalidRequestException.class)
			.isThrownBy(() -> IdFormat.of("{number}").parse("é订" + character + "\ud83c\udf43"))
			.withMessageStartingWith("'é订?\ud83c\udf43' is not");
	}

	@Test
	void parse_quotesNoHalfOfASurrogatePair() {
		assertThatExceptionOfType(InvalidRequestException.class)
			.isThrownBy(() -> IdFormat.of("{number}").parse("x".repeat(39) + "\ud83c\udf43"))
			.withMessageStartingWith("'" + "x".repeat(39) + "?…' is not");
	}

	@Test
	void parse_isFastForAnyText() {
		IdFormat format = IdFormat.of("{crockford}{check}.");
		assertThatExceptionOfType(InvalidRequestException.class)
			.isThrownBy(() -> format.parse("A" + "-".repeat(1_000_000)));
		assertThatExceptionOfType(InvalidRequestException.class).isThrownBy(() -> format.parse("A-".repeat(1_000_000)));
	}

	@Test
	void parse_readsTextsOfFormerSecrets() {
		IdSecret next = IdSecret.of("2:ghijklmnopqrstuvwxyz");
		IdFormat before = IdFormat.of("{masked}", MASKED);
		IdFormat now = IdFormat.of("{masked}", new IdFormatSettings("order", 0, List.of(next, SECRET)));
		assertThat(now.format(7)).startsWith("2").isNotEqualTo(before.format(7));
		assertThat(now.parse(before.format(7))).isEqualTo(7);
		assertThat(now.parse(now.format(7))).isEqualTo(7);
		assertThatExceptionOfType(InvalidRequestException.class).isThrownBy(() -> before.parse(now.format(7)))
			.withMessageEndingWith("no secret with the ID 2 is configured");
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "ORD", "{check}", "A{check}" })
	void of_rejectsTemplatesWithoutTheNumber(String template) {
		assertThatIllegalArgumentException().isThrownBy(() -> IdFormat.of(template))
			.withMessageContaining("A format must");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '"', value = { "ORD | must contain the ID: add {number}",
			"{number}-{number} | must contain the ID once", "{number}-{base36} | must contain the ID once",
			"{number}-{period}-{n} | must contain the ID once", "{masked}{crockford:3} | must contain the ID once",
			"{period}-{period}-{n} | must contain the ID once", "{n:6} | must contain both {period} and {n}",
			"{period} | must contain both {period} and {n}", "{period}{n} | must show where each number ends",
			"{n}{period} | must show where each number ends", "{period}2{n} | '2' could belong to the number before it",
			"{number}0 | '0' could belong to the number before it", "{base36}a | 'a' could belong",
			"{base62}Z | 'Z' could belong", "{crockford}-X | '-' could belong", "{crockford}o | 'o' could belong",
			"{crockford}i | 'i' could belong", "{crockford}{check}-X | '-' could belong",
			"{number}{check}1 | '1' could belong", "{number}{check}{check} | must contain {check} only once",
			"{check}{number} | must have {check} after the numbers",
			"{period}{check}-{n} | must have {check} after the numbers",
			"{check:2}{number} | must write {check} without ':'", "{base62}{check} | use {base36} or {crockford}",
			"{number | must have braces only around the name of a part", "number} | must have braces only",
			"{{number}} | must have braces only", "{number}} | must have braces only", "{ | must have braces only",
			"{number:8:9} | must state a width", "{} | must consist of literals and the parts {number}, {crockford}",
			"{Number} | {Number} is not one of these parts", "{ number } | { number } is not one of these parts",
			"{date} | {date} is not one of these parts", "{number:0} | must state a width from 1 to 19 in {number:0}",
			"{number:20} | must state a width from 1 to 19", "{number:} | must state a width",
			"{number:-1} | must state a width", "{number: 8} | must state a width", "{number:008} | must state a width",
			"{crockford:14} | a width from 1 to 13", "{base36:14} | a width from 1 to 13",
			"{base62:12} | a width from 1 to 11", "{period}-{n:9} | a width from 1 to 8",
			"{period:12}-{n} | a width from 1 to 11", "{masked:19} | must state a number of bits from 20 to 63",
			"{masked:64} | must state a number of bits from 20 to 63" })
	void of_rejectsInvalidTemplates(String template, String reason) {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> IdFormat.of(template, new IdFormatSettings("order", 8, List.of(SECRET))))
			.withMessageContaining(reason)
			.withMessageEndingWith(". This one is '%s'".formatted(template));
	}

	@Test
	void of_rejectsControlCharacters() {
		assertThatIllegalArgumentException().isThrownBy(() -> IdFormat.of("A\u0000{number}"))
			.withMessageContaining("must not contain control characters");
	}

	@ParameterizedTest
	@ValueSource(strings = { "{period}-{n}", "{n}", "{period}" })
	void of_rejectsAPeriodIfTheKeyHasNone(String template) {
		assertThatIllegalArgumentException().isThrownBy(() -> IdFormat.of(template, MASKED))
			.withMessageContaining("only if the key has a period");
	}

	@Test
	void of_rejectsMaskedNumbersWithoutASecret() {
		assertThatIllegalArgumentException().isThrownBy(() -> IdFormat.of("{masked}", DAILY))
			.withMessageContaining("configure the secret, or replace {masked}");
	}

	@ParameterizedTest
	@CsvSource({ "ORD-{crockford}, ORD-{masked}", "A{number}, {number}", "{number}, {number:8}", "{number:8}, {number}",
			"{number:8}, {number:6}", "{period}-{n:6}, {period}-{n:8}", "{period}-{n}, {period}-{n:8}",
			"{number:8}{check}, {number}{check}", "{base36:8}, {number:9}", "{masked:40}, {masked}",
			"{period}{n:6}, {period}-{n:6}", "{number}, {period}-{n}", "{base36:3}, A{number:2}",
			"{number}, {number}" })
	void withFormer_parsesTextsOfBoth(String current, String former) {
		IdFormatSettings settings = new IdFormatSettings("order", 8, List.of(SECRET));
		IdFormat format = IdFormat.of(current, settings).withFormer(List.of(former));
		assertThat(format.format(7)).isEqualTo(IdFormat.of(current, settings).format(7));
		assertThat(format.parse(format.format(7))).isEqualTo(7);
		assertThat(format.parse(IdFormat.of(former, settings).format(7))).isEqualTo(7);
	}

	@ParameterizedTest
	@CsvSource({ "{base36}, {number}, 1", "{number}, {base36:8}, 11111111",
			"ORD-{crockford}, ORD-{masked:40}, ORD-111111111", "{number}, {number}{check}, 11",
			"{period:4}{n:8}, {period:5}{n:7}, 111111111111", "{number}, {period}{n:8}, 111111111",
			"{crockford}, A{number}, A1", "{crockford:3}, 1-{number:2}, 1-11", "{masked:40}, {masked:39}, 111111111",
			"A{number}, {base62:3}, A11", "{crockford}{check}, {number}-X, 1-X" })
	void withFormer_rejectsTextsWithTwoMeanings(String current, String former, String example) {
		IdFormatSettings settings = new IdFormatSettings("order", 8, List.of(SECRET));
		assertThatIllegalArgumentException()
			.isThrownBy(() -> IdFormat.of(current, settings).withFormer(List.of(former)))
			.withMessageStartingWith(
					"Texts such as '%s' would have one ID in the format '%s' and another ID in the former format '%s'"
						.formatted(example, current, former));
	}

	@Test
	void withFormer_comparesFormerFormatsWithOneAnother() {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> IdFormat.of("A-{number}").withFormer(List.of("{number}", "{base36}")))
			.withMessageContaining("such as '1' would have one ID in the format '{number}'");
	}

	@Test
	void withFormer_namesAllFormatsIfATextMatchesNone() {
		IdFormat format = IdFormat.of("B-{number:4}{check}").withFormer(List.of("A-{number}", "{number}"));
		assertThat(List.of(format.parse("B-07945"), format.parse("A-794"), format.parse("794"))).containsOnly(794L);
		assertThatExceptionOfType(InvalidRequestException.class).isThrownBy(() -> format.parse("C-1"))
			.withMessage(
					"'C-1' is not the text of an ID in the formats 'B-{number:4}{check}' and 'A-{number}', '{number}'");
		assertThatExceptionOfType(InvalidRequestException.class).isThrownBy(() -> format.parse("B-07946"))
			.withMessageEndingWith(": its check character is wrong, so it was probably mistyped");
	}

	@ParameterizedTest
	@ValueSource(strings = { "ar-EG", "fa-IR", "mr-IN", "th-TH-u-nu-thai" })
	void formatsDoNotDependOnTheDefaultLocale(String tag) {
		Locale before = Locale.getDefault();
		try {
			Locale.setDefault(Locale.forLanguageTag(tag));
			IdFormat format = IdFormat.of("ORD-{number:8}");
			assertThat(format.parse(format.format(17))).isEqualTo(17);
		}
		finally {
			Locale.setDefault(before);
		}
	}

	@Test
	void whitespaceAroundASecretIsIgnored() {
		// the file of a Kubernetes secret may end with a line feed, and the elements of a
		// list are trimmed
		IdFormat now = IdFormat.of("{masked}",
				new IdFormatSettings("order", 0, List.of(IdSecret.of("1:0123456789abcdef0123\n"))));
		IdFormat later = IdFormat.of("{masked}", new IdFormatSettings("order", 0,
				List.of(IdSecret.of("2:abcdefabcdefabcdef01"), IdSecret.of("1:0123456789abcdef0123"))));
		for (int id = 0; id < 20; id++) {
			assertThat(later.parse(now.format(id))).isEqualTo(id);
		}
	}

	@Test
	void formatsThatReadTextsAlikeAreAccepted() {
		IdFormatSettings settings = new IdFormatSettings("order", 6, List.of());
		assertThatCode(() -> IdFormat.of("{period:4}{n:6}", settings).withFormer(List.of("{period:4}{n}")))
			.doesNotThrowAnyException();
	}

}
