// SPDX-License-Identifier: Apache-2.0

package io.leaf.server.api;

import java.nio.charset.StandardCharsets;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link IdText}.
 */
class IdTextTests {

	@ParameterizedTest
	@ValueSource(longs = { 0, 1, 9, 10, 11, 99, 100, 999_999_999_999_999_999L, 1_000_000_000_000_000_000L,
			2_124_356_525_412_581_402L, Long.MAX_VALUE })
	void idsOfAnyLengthAreWritten(long id) {
		assertThat(text(IdText.of(id, false))).isEqualTo(Long.toString(id));
		assertThat(text(IdText.of(new long[] { id, id }, false))).isEqualTo(id + "\n" + id);
		assertThat(text(IdText.of(new long[] { id, id }, true))).isEqualTo("[\"" + id + "\",\"" + id + "\"]");
	}

	@Test
	void aListOfOneHasNoSeparator() {
		assertThat(text(IdText.of(new long[] { 7 }, false))).isEqualTo("7");
		assertThat(text(IdText.of(new long[] { 7 }, true))).isEqualTo("[\"7\"]");
	}

	private static String text(byte[] bytes) {
		return new String(bytes, StandardCharsets.US_ASCII);
	}

}
