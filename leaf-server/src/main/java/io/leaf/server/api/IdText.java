// SPDX-License-Identifier: Apache-2.0

package io.leaf.server.api;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

import org.springframework.boot.json.JsonWriter;

/**
 * Writes IDs as text, one per line, or as JSON. In JSON, the IDs are strings, because
 * JavaScript rounds numbers of more than 53 bits.
 */
final class IdText {

	/**
	 * The number of digits of {@link Long#MAX_VALUE}. No ID is negative.
	 */
	private static final int MAX_DIGITS = 19;

	private static final byte[] TEXT_BETWEEN = { '\n' };

	private static final byte[] JSON_BETWEEN = { '"', ',', '"' };

	private static final JsonWriter<Object> JSON = JsonWriter.standard();

	private IdText() {
	}

	static byte[] of(long id, boolean json) {
		return (json ? "\"" + id + "\"" : Long.toString(id)).getBytes(StandardCharsets.ISO_8859_1);
	}

	static byte[] of(long[] ids, boolean json) {
		byte[] between = json ? JSON_BETWEEN : TEXT_BETWEEN;
		byte[] text = new byte[ids.length * (MAX_DIGITS + between.length) + 4];
		int at = 0;
		if (json) {
			text[at++] = '[';
			text[at++] = '"';
		}
		for (int i = 0; i < ids.length; i++) {
			if (i > 0) {
				for (byte b : between) {
					text[at++] = b;
				}
			}
			at = write(ids[i], text, at);
		}
		if (json) {
			text[at++] = '"';
			text[at++] = ']';
		}
		return Arrays.copyOf(text, at);
	}

	/**
	 * Writes an ID that is already in the format of its key.
	 */
	static byte[] of(String text, boolean json) {
		return (json ? JSON.writeToString(text) : text).getBytes(StandardCharsets.UTF_8);
	}

	/**
	 * Writes IDs that are already in the format of their key.
	 */
	static byte[] of(List<String> texts, boolean json) {
		return (json ? JSON.writeToString(texts) : String.join("\n", texts)).getBytes(StandardCharsets.UTF_8);
	}

	private static int write(long id, byte[] text, int from) {
		int to = from + digits(id);
		long rest = id;
		for (int at = to - 1; at >= from; at--) {
			text[at] = (byte) ('0' + rest % 10);
			rest /= 10;
		}
		return to;
	}

	private static int digits(long id) {
		int digits = 1;
		for (long power = 10; digits < MAX_DIGITS && id >= power; power *= 10) {
			digits++;
		}
		return digits;
	}

}
