/*
 * Copyright 2026 the Leaf project authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *      https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */

package io.leaf.snowflake.lease.file;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.zip.CRC32C;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

class SlotTests {

	private static final Slot SLOT = new Slot(17, Map.of("owner", "a", "host", "10.0.0.1:8080"));

	@Test
	void aSlotIsReadAsItWasWritten() throws IOException {
		assertThat(Slot.decode(SLOT.encode(), 0)).isEqualTo(SLOT);
		Slot odd = new Slot(999_999_999_999_999_999L,
				Map.of("a", "", "b", " x = y ", "c", "1\n2\r3\n", "d", "50% %0A %25", "e", "Bücher 订单"));
		assertThat(Slot.decode(odd.encode(), 0)).isEqualTo(odd);
		Slot empty = new Slot(0, Map.of());
		assertThat(Slot.decode(empty.encode(), 0)).isEqualTo(empty);
	}

	@Test
	void aSlotIsReadFromTheMiddle() throws IOException {
		byte[] file = Arrays.copyOf(new byte[100], 100 + Slot.SIZE);
		System.arraycopy(SLOT.encode(), 0, file, 100, Slot.SIZE);
		assertThat(Slot.decode(file, 100)).isEqualTo(SLOT);
		assertThat(Slot.decode(file, 99)).isNull();
	}

	@Test
	void peopleCanReadIt() throws IOException {
		byte[] slot = new Slot(3, Map.of("owner", "a")).encode();
		assertThat(slot).hasSize(Slot.SIZE);
		assertThat(new String(slot, StandardCharsets.UTF_8))
			.matches("crc32c=[0-9a-f]{8}\nformat=1\nsequence=3\nowner=a\n *\n");
	}

	@Test
	void aSlotWithAnyBitFlippedIsNotOne() throws IOException {
		byte[] slot = SLOT.encode();
		for (int bit = 0; bit < 8 * Slot.SIZE; bit++) {
			slot[bit / 8] ^= (byte) (1 << (bit % 8));
			assertThat(Slot.decode(slot, 0)).as("bit %d", bit).isNull();
			slot[bit / 8] ^= (byte) (1 << (bit % 8));
		}
		assertThat(Slot.decode(slot, 0)).isEqualTo(SLOT);
	}

	@Test
	void aSlotThatIsCutOffIsNotOne() throws IOException {
		byte[] slot = SLOT.encode();
		for (int length = 0; length < Slot.SIZE; length++) {
			assertThat(Slot.decode(Arrays.copyOf(slot, length), 0)).as("%d bytes", length).isNull();
			assertThat(Slot.decode(Arrays.copyOf(slot, Slot.SIZE), Slot.SIZE - length)).isNull();
		}
	}

	@Test
	void aSlotOfAnotherFormatIsNotOne() throws IOException {
		assertThat(Slot.decode(changed("format=1", "format=2"), 0)).isNull();
		assertThat(Slot.decode(changed("format=1", "Format=1"), 0)).isNull();
		assertThat(Slot.decode(changed("sequence=17", "sequence=x7"), 0)).isNull();
		assertThat(Slot.decode(changed("sequence=17", "Sequence=17"), 0)).isNull();
		assertThat(Slot.decode(changed("sequence=17", "sequence=18"), 0)).isEqualTo(new Slot(18, SLOT.values()));
	}

	private static byte[] changed(String from, String to) throws IOException {
		String text = new String(SLOT.encode(), StandardCharsets.UTF_8).replace(from, to).substring(16);
		CRC32C checksum = new CRC32C();
		checksum.update(text.getBytes(StandardCharsets.UTF_8));
		return "crc32c=%08x\n%s".formatted(checksum.getValue(), text).getBytes(StandardCharsets.UTF_8);
	}

	@Test
	void encode_refusesWhatDoesNotFit() throws IOException {
		int overhead = "crc32c=00000000\nformat=1\nsequence=1\na=\n".length();
		Slot largest = new Slot(1, Map.of("a", "x".repeat(Slot.SIZE - overhead - 1)));
		assertThat(Slot.decode(largest.encode(), 0)).isEqualTo(largest);
		Slot larger = new Slot(1, Map.of("a", "x".repeat(Slot.SIZE - overhead)));
		assertThatIOException().isThrownBy(larger::encode).withMessageContaining("too many for a state file");
	}

}
