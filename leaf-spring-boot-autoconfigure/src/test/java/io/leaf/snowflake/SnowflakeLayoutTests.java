// SPDX-License-Identifier: Apache-2.0

package io.leaf.snowflake;

import java.time.Instant;
import java.util.Locale;

import io.leaf.snowflake.SnowflakeLayout.Unit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class SnowflakeLayoutTests {

	private static final Instant EPOCH = Instant.parse("2020-01-01T00:00:00Z");

	@Test
	void decode_readsAnIdOfMeituansLeafAsItsServerDoes() {
		// the example in the description of /decodeSnowflakeId: 1567733700834, worker 39,
		// sequence 3448
		long id = (1567733700834L - 1288834974657L) << 22 | 39 << 12 | 3448;
		assertThat(SnowflakeLayout.LEAF.decode(id))
			.isEqualTo(new SnowflakeId(Instant.ofEpochMilli(1567733700834L), 39, 3448));
	}

	@Test
	void decode_readsTheSmallestAndTheLargestId() {
		assertThat(SnowflakeLayout.LEAF.decode(0))
			.isEqualTo(new SnowflakeId(Instant.ofEpochMilli(1288834974657L), 0, 0));
		assertThat(SnowflakeLayout.LEAF.decode(Long.MAX_VALUE))
			.isEqualTo(new SnowflakeId(Instant.ofEpochMilli(1288834974657L + (1L << 41) - 1), 1023, 4095));
	}

	@Test
	void decode_readsTicksOfASecond() {
		long id = 100L << 35 | 4194303L << 13 | 8191;
		assertThat(SnowflakeLayout.BAIDU.decode(id))
			.isEqualTo(new SnowflakeId(Instant.parse("2026-01-01T00:01:40Z"), 4194303, 8191));
	}

	@Test
	void decode_readsLayoutsWithoutWorkerOrSequence() {
		assertThat(new SnowflakeLayout(10, 0, 3, Unit.SECONDS, EPOCH).decode(0b10_101))
			.isEqualTo(new SnowflakeId(EPOCH.plusSeconds(2), 0, 5));
		assertThat(new SnowflakeLayout(10, 3, 0, Unit.SECONDS, EPOCH).decode(0b10_101))
			.isEqualTo(new SnowflakeId(EPOCH.plusSeconds(2), 5, 0));
	}

	@ParameterizedTest
	@ValueSource(longs = { -1, Long.MIN_VALUE, 1L << 53, Long.MAX_VALUE })
	void decode_rejectsNumbersThatAreNotIdsOfTheLayout(long id) {
		assertThatIllegalArgumentException().isThrownBy(() -> SnowflakeLayout.JS_SAFE.decode(id))
			.withMessageContaining(id + " is not an ID of this layout")
			.withMessageContaining("from 0 to 9007199254740991");
	}

	@Test
	void presets_describeTheirCapacity() {
		assertThat(SnowflakeLayout.LEAF.maxId()).isEqualTo(Long.MAX_VALUE);
		assertThat(SnowflakeLayout.LEAF.maxWorkerId()).isEqualTo(1023);
		assertThat(SnowflakeLayout.LEAF.idsPerSecond()).isEqualTo(4_096_000);
		assertThat(SnowflakeLayout.LEAF.fitsJavaScript()).isFalse();
		assertThat(SnowflakeLayout.LEAF.exhaustedAt()).isEqualTo("2080-07-10T17:30:30.209Z");
		assertThat(SnowflakeLayout.BAIDU.maxWorkerId()).isEqualTo(4_194_303);
		assertThat(SnowflakeLayout.BAIDU.idsPerSecond()).isEqualTo(8192);
		assertThat(SnowflakeLayout.BAIDU.exhaustedAt()).isEqualTo("2034-07-04T21:24:16Z");
		assertThat(SnowflakeLayout.JS_SAFE.maxId()).isEqualTo((1L << 53) - 1);
		assertThat(SnowflakeLayout.JS_SAFE.maxWorkerId()).isEqualTo(63);
		assertThat(SnowflakeLayout.JS_SAFE.idsPerSecond()).isEqualTo(64_000);
		assertThat(SnowflakeLayout.JS_SAFE.fitsJavaScript()).isTrue();
		assertThat(SnowflakeLayout.JS_SAFE.exhaustedAt()).isEqualTo("2095-09-07T15:47:35.552Z");
	}

	@Test
	void exhaustedAt_ofAVeryLongLayoutIsTheMaximumInstant() {
		assertThat(new SnowflakeLayout(63, 0, 0, Unit.SECONDS, EPOCH).exhaustedAt()).isEqualTo(Instant.MAX);
	}

	@ParameterizedTest
	@CsvSource({ "0, 10, 12, timestampBits must be 1 or more: 0", "41, -1, 12, workerBits must be from 0 to 31: -1",
			"41, 32, 12, workerBits must be from 0 to 31: 32", "41, 10, -1, sequenceBits must be from 0 to 31: -1",
			"41, 10, 32, sequenceBits must be from 0 to 31: 32",
			"42, 10, 12, must add up to at most 63: 42 + 10 + 12 = 64",
			"2147483647, 10, 12, must add up to at most 63: 2147483647 + 10 + 12 = 2147483669" })
	void bitsOutOfRangeAreRefused(int timestamp, int worker, int sequence, String message) {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> new SnowflakeLayout(timestamp, worker, sequence, Unit.MILLISECONDS, EPOCH))
			.withMessageContaining(message);
	}

	@Test
	void workerAndSequenceMayHaveThirtyOneBitsEach() {
		SnowflakeLayout layout = new SnowflakeLayout(1, 31, 31, Unit.MILLISECONDS, EPOCH);
		assertThat(layout.decode(Long.MAX_VALUE))
			.isEqualTo(new SnowflakeId(EPOCH.plusMillis(1), Integer.MAX_VALUE, Integer.MAX_VALUE));
	}

	@Test
	void anEpochBetweenTwoTicksIsRefused() {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> new SnowflakeLayout(41, 10, 12, Unit.SECONDS, EPOCH.plusMillis(1)))
			.withMessageContaining("epoch must be a whole number of SECONDS");
		assertThatIllegalArgumentException()
			.isThrownBy(() -> new SnowflakeLayout(41, 10, 12, Unit.MILLISECONDS, EPOCH.plusNanos(1)))
			.withMessageContaining("epoch must be a whole number of MILLISECONDS");
		assertThatIllegalArgumentException()
			.isThrownBy(() -> new SnowflakeLayout(41, 10, 12, Unit.MILLISECONDS, Instant.ofEpochMilli(-1)))
			.withMessageContaining("since 1970");
	}

	@Test
	void toString_whichStoresRecordDoesNotDependOnTheDefaultLocale() {
		Locale before = Locale.getDefault();
		try {
			// this locale has its own digits
			Locale.setDefault(Locale.forLanguageTag("ar-EG"));
			assertThat(SnowflakeLayout.LEAF).hasToString("41+10+12 bits, MILLISECONDS since 2010-11-04T01:42:54.657Z");
		}
		finally {
			Locale.setDefault(before);
		}
	}

}
