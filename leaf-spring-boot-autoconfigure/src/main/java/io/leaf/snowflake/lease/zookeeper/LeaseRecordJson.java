// SPDX-License-Identifier: Apache-2.0

package io.leaf.snowflake.lease.zookeeper;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.leaf.snowflake.lease.Lease;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes the content of ZooKeeper nodes as JSON. No JSON library is needed,
 * because all values of a lease record are whole numbers or strings without escape
 * sequences. Unknown fields are ignored.
 */
final class LeaseRecordJson {

	// Contents with more bytes are not parsed. Every lease record that this library
	// writes is smaller.
	private static final int MAX_LENGTH = 4096;

	private static final int MAX_QUOTED = 100;

	private static final Pattern FIELD = Pattern
		.compile("\\s*+\"(\\w++)\"\\s*+:\\s*+(?:\"([^\"\\\\]*+)\"|(-?+\\d{1,19}+))\\s*+(,|$)");

	private static final Pattern TIMESTAMP = Pattern.compile("\"timestamp\"\\s*+:\\s*+(\\d{1,15}+)");

	private LeaseRecordJson() {
	}

	// numbers are formatted with %s, because %d uses the digits of the default locale
	static byte[] write(Lease lease) {
		return "{\"owner\":\"%s\",\"horizon\":%s,\"host\":\"%s\",\"since\":%s,\"reported\":%s,\"version\":%s}"
			.formatted(plain(lease.owner()), lease.horizon(), plain(lease.host()), lease.since(), lease.reported(),
					lease.version())
			.getBytes(StandardCharsets.US_ASCII);
	}

	/**
	 * Returns the content of a node below {@code forever}: the three fields that a server
	 * of Meituan's Leaf reads, and no others.
	 */
	static byte[] writeForever(String ip, String port, long timestamp) {
		return "{\"ip\":\"%s\",\"port\":\"%s\",\"timestamp\":%s}".formatted(plain(ip), plain(port), timestamp)
			.getBytes(StandardCharsets.US_ASCII);
	}

	private static String plain(String text) {
		return text.replaceAll("[^ !#-\\[\\]-~]", "_");
	}

	/**
	 * Reads a lease record.
	 * @throws IllegalArgumentException if the content is not a valid lease record
	 */
	static Lease read(byte[] content) {
		String text = (content.length <= MAX_LENGTH) ? new String(content, StandardCharsets.UTF_8).trim() : "";
		if (!text.startsWith("{") || !text.endsWith("}")) {
			throw new IllegalArgumentException("the content is not a JSON object of strings and whole numbers");
		}
		String inner = text.substring(1, text.length() - 1);
		Map<String, String> fields = new HashMap<>();
		Matcher field = FIELD.matcher(inner);
		int end = 0;
		while (end < inner.length() && field.region(end, inner.length()).lookingAt()) {
			String value = (field.group(2) != null) ? field.group(2) : field.group(3);
			if (fields.put(field.group(1), value) != null) {
				throw new IllegalArgumentException("field %s occurs twice".formatted(field.group(1)));
			}
			end = field.end();
		}
		if (end < inner.length() || inner.endsWith(",")) {
			throw new IllegalArgumentException("the content is not a JSON object of strings and whole numbers");
		}
		String owner = fields.get("owner");
		if (owner == null || !fields.containsKey("horizon")) {
			throw new IllegalArgumentException("field owner or horizon is missing");
		}
		return new Lease(owner, number(fields, "horizon", Lease.MAX_TIME), fields.getOrDefault("host", ""),
				number(fields, "since", Lease.MAX_TIME), number(fields, "reported", Lease.MAX_TIME),
				number(fields, "version", Long.MAX_VALUE - 1));
	}

	private static long number(Map<String, String> fields, String name, long max) {
		String text = fields.getOrDefault(name, "0");
		try {
			long number = Long.parseLong(text);
			if (number >= 0 && number <= max) {
				return number;
			}
		}
		catch (NumberFormatException ex) {
			throw new IllegalArgumentException("field %s should be a number, but is %s".formatted(name, quote(text)),
					ex);
		}
		throw new IllegalArgumentException("field %s should be from 0 to %d, but is %s".formatted(name, max, text));
	}

	/**
	 * Quotes a text from a node for use in a message. The text can have any length and
	 * any characters.
	 * @return one line with at most the first {@value #MAX_QUOTED} characters of the text
	 */
	static String quote(String text) {
		String start = (text.length() > MAX_QUOTED) ? text.substring(0, MAX_QUOTED) + "…" : text;
		return "'" + start.replaceAll("\\p{Cntrl}", "?") + "'";
	}

	/**
	 * Reads the time at which a server of Meituan's Leaf last wrote its node.
	 * @return milliseconds since 1970-01-01T00:00:00Z, or {@code null} if the content has
	 * no such time
	 */
	static @Nullable Long timestamp(byte[] content) {
		Matcher matcher = TIMESTAMP.matcher(new String(content, StandardCharsets.UTF_8));
		return (content.length <= MAX_LENGTH && matcher.find()) ? Long.valueOf(matcher.group(1)) : null;
	}

}
