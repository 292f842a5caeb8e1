// SPDX-License-Identifier: Apache-2.0

package io.leaf.snowflake.lease.zookeeper;

import java.nio.charset.StandardCharsets;
import java.util.Locale;

import io.leaf.Garbage;
import io.leaf.snowflake.lease.Lease;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link LeaseRecordJson}, in comparison with a JSON library.
 */
class LeaseRecordJsonTests {

	private static final Lease LEASE = new Lease("claim-1", 1_795_000_000_000L, "10.0.0.1:8080", 7, 8, 9);

	private static Lease read(String json) {
		return LeaseRecordJson.read(json.getBytes(StandardCharsets.UTF_8));
	}

	@Test
	void theDigitsOfTheDefaultLocaleDoNotMatter() {
		Locale before = Locale.getDefault();
		try {
			Locale.setDefault(Locale.forLanguageTag("ar-EG"));
			assertThat(LeaseRecordJson.read(LeaseRecordJson.write(LEASE))).isEqualTo(LEASE);
			assertThat(new String(LeaseRecordJson.writeForever("10.0.0.1", "8080", 17), StandardCharsets.US_ASCII))
				.isEqualTo("{\"ip\":\"10.0.0.1\",\"port\":\"8080\",\"timestamp\":17}");
		}
		finally {
			Locale.setDefault(before);
		}
	}

	@Test
	void aLeaseThatIsWrittenIsRead() {
		byte[] json = LeaseRecordJson.write(LEASE);
		assertThat(LeaseRecordJson.read(json)).isEqualTo(LEASE);
		JsonNode node = JsonMapper.shared().readTree(json);
		assertThat(node.propertyNames()).containsExactly("owner", "horizon", "host", "since", "reported", "version");
	}

	@Test
	void charactersThatWouldNeedAnEscapeAreReplaced() {
		byte[] json = LeaseRecordJson.write(new Lease("a", 1, "q\"b\\n\n\u4e2d", 0, 0, 0));
		assertThat(LeaseRecordJson.read(json).host()).isEqualTo("q_b_n__");
		assertThat(LeaseRecordJson.writeForever("\"", "\\", 7)).asString(StandardCharsets.US_ASCII)
			.isEqualTo("{\"ip\":\"_\",\"port\":\"_\",\"timestamp\":7}");
	}

	@Test
	void aLeaseRecordThatAnOperatorWritesIsRead() {
		assertThat(read(" {\"owner\" : \"\",\n \"horizon\": 7} ")).isEqualTo(new Lease(Lease.NO_OWNER, 7, "", 0, 0, 0));
	}

	@Test
	void unknownFieldsAreIgnored() {
		assertThat(read("{\"owner\":\"a\",\"zone\":\"b\",\"horizon\":7,\"weight\":3}").horizon()).isEqualTo(7);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "{", "}", "{}", "null", "[]", "{\"owner\":\"a\"}", "{\"horizon\":7}",
			"{\"owner\":1,\"horizon\":7,}", "{,\"owner\":\"a\",\"horizon\":7}", "{\"owner\":\"a\" \"horizon\":7}",
			"{\"owner\":\"a\",\"horizon\":{}}", "{\"owner\":\"a\",\"horizon\":7}}", "{\"owner\":'a',\"horizon\":7}",
			"{\"owner\":\"a\",\"horizon\":7,\"horizon\":8}", "{\"owner\":\"a\",\"horizon\":-1}",
			"{\"owner\":\"a\",\"horizon\":253402300800000}", "{\"owner\":\"a\",\"horizon\":9223372036854775808}",
			"{\"owner\":\"a\",\"horizon\":1e3}", "{\"owner\":\"a\",\"horizon\":1.5}",
			"{\"owner\":\"a\",\"horizon\":\"x\"}" })
	void anythingElseIsRefused(String json) {
		assertThatIllegalArgumentException().isThrownBy(() -> read(json));
	}

	@Test
	void largeGarbageIsRefusedWithAShortMessage() {
		assertThatIllegalArgumentException().isThrownBy(() -> read("{\"" + "a".repeat(5000) + "\":1}"))
			.satisfies((ex) -> assertThat(ex.getMessage()).hasSizeLessThan(200));
		assertThatIllegalArgumentException()
			.isThrownBy(() -> read("{\"owner\":\"\",\"horizon\":\"" + "9".repeat(3000) + "\"}"))
			.satisfies((ex) -> assertThat(ex.getMessage()).hasSizeLessThan(200));
	}

	@Test
	void theTimeOfALeafServerIsRead() {
		assertThat(LeaseRecordJson.timestamp("{\"ip\":\"a\", \"timestamp\": 17}".getBytes(StandardCharsets.UTF_8)))
			.isEqualTo(17);
		assertThat(LeaseRecordJson.timestamp("{\"timestamp\":\"x\"}".getBytes(StandardCharsets.UTF_8))).isNull();
	}

	@Test
	void garbageIsReadAsByTheLibraryOrRefused() {
		JsonMapper library = JsonMapper.builder()
			.enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
			.enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
			.build();
		byte[] valid = LeaseRecordJson.write(LEASE);
		Garbage garbage = new Garbage("JSON");
		int read = 0;
		for (int i = 0; i < 20_000; i++) {
			byte[] content = garbage.of(valid);
			Lease lease;
			try {
				lease = LeaseRecordJson.read(content);
			}
			catch (IllegalArgumentException ex) {
				assertThat(ex).as("number %d", i).isExactlyInstanceOf(IllegalArgumentException.class);
				continue;
			}
			read++;
			assertThat(lease.horizon()).isBetween(0L, Lease.MAX_TIME);
			JsonNode node = node(library, content);
			if (node != null) {
				// the two parsers decode bytes that are not UTF-8 differently
				if (node.path("owner").isString() && !lease.owner().contains("\ufffd")) {
					assertThat(node.path("owner").asString()).as("number %d", i).isEqualTo(lease.owner());
				}
				assertThat(node.path("horizon").asLong()).as("number %d", i).isEqualTo(lease.horizon());
			}
		}
		System.out.println("Garbage JSON that was read: " + read);
		assertThat(read).isBetween(2_000, 18_000);
	}

	private static @Nullable JsonNode node(JsonMapper library, byte[] content) {
		try {
			return library.readTree(content);
		}
		catch (JacksonException ex) {
			// the library is stricter about the characters within strings, and about
			// signs of numbers
			return null;
		}
	}

}
