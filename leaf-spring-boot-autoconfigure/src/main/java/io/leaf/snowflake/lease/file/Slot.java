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
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.zip.CRC32C;

import org.jspecify.annotations.Nullable;

/**
 * One of the copies of its content that a state file has: lines of text, so that people
 * can read it, filled up to a fixed size, with a checksum in front.
 *
 * @param sequence grows with each change of the content
 * @param values the content
 */
record Slot(long sequence, Map<String, String> values) {

	/**
	 * How many bytes a slot has: a sector of today's disks, so that writing one leaves
	 * the other alone.
	 */
	static final int SIZE = 4096;

	/**
	 * What tells this version of the content from later ones.
	 */
	static final String FORMAT = "1";

	private static final int CHECKSUM_LENGTH = "crc32c=00000000\n".length();

	byte[] encode() throws IOException {
		StringBuilder text = new StringBuilder();
		append(text, "format", FORMAT);
		append(text, "sequence", Long.toString(this.sequence));
		this.values.forEach((name, value) -> append(text, name, value));
		byte[] content = text.toString().getBytes(StandardCharsets.UTF_8);
		if (CHECKSUM_LENGTH + content.length >= SIZE) {
			throw new IOException("%d bytes are too many for a state file: %s".formatted(content.length, this.values));
		}
		byte[] slot = new byte[SIZE];
		System.arraycopy(content, 0, slot, CHECKSUM_LENGTH, content.length);
		Arrays.fill(slot, CHECKSUM_LENGTH + content.length, SIZE - 1, (byte) ' ');
		slot[SIZE - 1] = '\n';
		System.arraycopy(checksum(slot, 0), 0, slot, 0, CHECKSUM_LENGTH);
		return slot;
	}

	private static void append(StringBuilder text, String name, String value) {
		String escaped = value.replace("%", "%25").replace("\n", "%0A").replace("\r", "%0D");
		text.append(name).append('=').append(escaped).append('\n');
	}

	/**
	 * Reads a slot.
	 * @param content the content of the file
	 * @param position where the slot begins
	 * @return the slot, or {@code null} if there is no whole one of this format
	 */
	static @Nullable Slot decode(byte[] content, int position) {
		if (content.length < position + SIZE || !Arrays.equals(checksum(content, position), 0, CHECKSUM_LENGTH, content,
				position, position + CHECKSUM_LENGTH)) {
			return null;
		}
		Map<String, String> values = new LinkedHashMap<>();
		String text = new String(content, position + CHECKSUM_LENGTH, SIZE - CHECKSUM_LENGTH, StandardCharsets.UTF_8);
		for (String line : text.split("\n")) {
			int separator = line.indexOf('=');
			if (separator >= 0) {
				String value = line.substring(separator + 1);
				values.put(line.substring(0, separator),
						value.replace("%0A", "\n").replace("%0D", "\r").replace("%25", "%"));
			}
		}
		String format = values.remove("format");
		String sequence = values.remove("sequence");
		if (!FORMAT.equals(format) || sequence == null || !sequence.matches("[0-9]{1,18}")) {
			return null;
		}
		return new Slot(Long.parseLong(sequence), values);
	}

	private static byte[] checksum(byte[] content, int position) {
		CRC32C checksum = new CRC32C();
		checksum.update(content, position + CHECKSUM_LENGTH, SIZE - CHECKSUM_LENGTH);
		return "crc32c=%08x\n".formatted(checksum.getValue()).getBytes(StandardCharsets.US_ASCII);
	}

}
