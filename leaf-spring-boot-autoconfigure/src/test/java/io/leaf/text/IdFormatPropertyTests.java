// SPDX-License-Identifier: Apache-2.0

package io.leaf.text;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.stream.LongStream;

import io.leaf.IdGenerationException;
import io.leaf.InvalidRequestException;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests properties of all formats, with random templates and IDs.
 * <p>
 * {@code -Dleaf.format-cases=100000} draws more templates, and {@code -Dleaf.seed=…}
 * draws different ones.
 */
class IdFormatPropertyTests {

	private static final long SEED = Long.getLong("leaf.seed", 20261123);

	private static final int CASES = Integer.getInteger("leaf.format-cases", 500);

	private static final int IDS = 10;

	private final RandomFormats random = new RandomFormats(SEED);

	@Test
	void parse_undoesFormat_andNoTwoIdsHaveTheSameText() {
		int formatted = 0;
		for (int i = 0; i < CASES; i++) {
			IdFormat format = this.random.next();
			Map<String, Long> ids = new HashMap<>();
			for (long id : idsThatFit(format)) {
				String text = format.format(id);
				assertThat(format.parse(text)).as("%s in '%s'", text, format).isEqualTo(id);
				Long other = ids.put(text, id);
				assertThat(other == null || other == id).as("%s in '%s'", text, format).isTrue();
				formatted++;
			}
		}
		assertThat(formatted).isGreaterThan(CASES * IDS / 3);
	}

	@Test
	void parse_acceptsOnlyTextsThatFormatReturns_exceptForCrockford() {
		int accepted = 0;
		for (int i = 0; i < CASES; i++) {
			IdFormat format = this.random.next();
			for (long id : idsThatFit(format)) {
				String mistyped = this.random.mistyped(format.format(id));
				OptionalLong parsed = parsed(format, mistyped);
				if (parsed.isPresent()) {
					accepted++;
					assertThat(canonical(format, mistyped)).as("'%s' in '%s'", mistyped, format)
						.isIn(canonical(format, format.format(parsed.getAsLong())),
								canonical(format, withFormerSecret(format).format(parsed.getAsLong())));
				}
			}
		}
		assertThat(accepted).isGreaterThan(CASES / 2);
	}

	@Test
	void fixedWidth_sortsLikeTheIds() {
		int compared = 0;
		for (int i = 0; i < CASES; i++) {
			IdFormat format = this.random.next();
			if (format.template()
				.matches(".*(\\{(number|crockford|base36|base62):\\d+}|\\{period:\\d+}.*\\{n:\\d+}).*")) {
				List<Long> ids = idsThatFit(format);
				for (int j = 1; j < ids.size(); j++) {
					int order = format.format(ids.get(j - 1)).compareTo(format.format(ids.get(j)));
					assertThat(Integer.signum(order)).as("%s and %s in '%s'", ids.get(j - 1), ids.get(j), format)
						.isEqualTo(Long.compare(ids.get(j - 1), ids.get(j)));
					compared++;
				}
			}
		}
		assertThat(compared).isGreaterThan(CASES / 2);
	}

	@Test
	void check_detectsEverySingleWrongCharacter() {
		int detected = 0;
		for (int i = 0; i < CASES; i++) {
			IdFormat format = this.random.next();
			if (format.template().contains("{check}")) {
				for (long id : idsThatFit(format)) {
					String text = format.format(id);
					String mistyped = this.random.withOtherCharacter(text);
					OptionalLong parsed = parsed(format, mistyped);
					// Crockford's Base32 reads O as 0
					assertThat(parsed.isEmpty() || parsed.getAsLong() == id)
						.as("'%s' for '%s' in '%s'", mistyped, text, format)
						.isTrue();
					detected += parsed.isEmpty() ? 1 : 0;
				}
			}
		}
		assertThat(detected).isGreaterThan(CASES);
	}

	@Test
	void withFormer_parsesTextsOfBothAsTheirOwnFormatDoes() {
		int distinguished = 0;
		for (int i = 0; i < CASES * 5; i++) {
			IdFormat current = this.random.next();
			IdFormat former = this.random.nextLike(current);
			try {
				IdFormat both = current.withFormer(List.of(former.template()));
				for (IdFormat format : List.of(current, former)) {
					for (long id : idsThatFit(format)) {
						String text = format.format(id);
						assertThat(both.parse(text)).as("%s in '%s' or '%s'", text, current, former).isEqualTo(id);
						String mistyped = this.random.mistyped(text);
						OptionalLong parsed = parsed(format, mistyped);
						if (parsed.isPresent()) {
							assertThat(both.parse(mistyped)).as("%s in '%s' or '%s'", mistyped, current, former)
								.isEqualTo(parsed.getAsLong());
						}
					}
				}
				distinguished++;
			}
			catch (IllegalArgumentException ex) {
				assertThat(ex).hasMessageStartingWith("Texts such as");
			}
		}
		assertThat(distinguished).isBetween(CASES, CASES * 4);
	}

	private List<Long> idsThatFit(IdFormat format) {
		List<Long> ids = new ArrayList<>();
		LongStream.generate(this.random::id).limit(IDS).forEach((id) -> {
			try {
				format.format(id);
				ids.add(id);
			}
			catch (IdGenerationException ex) {
				// the ID does not fit the format
			}
		});
		return ids;
	}

	private static OptionalLong parsed(IdFormat format, String text) {
		try {
			return OptionalLong.of(format.parse(text));
		}
		catch (InvalidRequestException ex) {
			return OptionalLong.empty();
		}
	}

	private static IdFormat withFormerSecret(IdFormat format) {
		List<IdSecret> secrets = RandomFormats.SETTINGS.secrets();
		return IdFormat.of(format.template(), new IdFormatSettings(RandomFormats.SETTINGS.key(),
				RandomFormats.SETTINGS.digits(), List.of(secrets.get(1), secrets.get(0))));
	}

	private static String canonical(IdFormat format, String text) {
		boolean lenient = format.template().contains("crockford") || format.template().contains("masked");
		return lenient ? Alphabet.CROCKFORD.canonical(text) : text;
	}

}
