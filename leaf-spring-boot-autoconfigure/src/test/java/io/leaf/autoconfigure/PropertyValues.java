// SPDX-License-Identifier: Apache-2.0

package io.leaf.autoconfigure;

import java.math.BigInteger;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.leaf.autoconfigure.properties.LeafProperties;
import tools.jackson.databind.JsonNode;

/**
 * Generates values for a property, most of them invalid: near its bounds and far beyond
 * them, of other types, in unusual units and alphabets, or empty.
 */
final class PropertyValues {

	private static final Pattern RANGE = Pattern.compile("from (\\d+).*? to (\\d+)");

	private static final List<String> TEXTS = List.of("", " ", "x", "a b", "..", "/", "a/b", "订单", "\uD83D\uDE00",
			"\uD800", "\u0000", "\u0007", "line\nbreak", "${nowhere}", "${", "#{1/0}", "*", "null",
			"'; DROP TABLE x; --", "%s%n", "-", "--x", "\\", "\"", "a,b", "=", "0", "true");

	private static final List<String> NUMBERS = List.of("0", "1", "-1", "-0", "+1", "2147483647", "2147483648",
			"-2147483649", "9223372036854775807", "9223372036854775808", "-9223372036854775808",
			"99999999999999999999999999", "1.5", "1e3", "1E999", "NaN", "Infinity", "-Infinity", "0x10", "010", "1_000",
			"1,000", " 7 ", "٣", "½", "ten", "1L", "4.9E-324", "0.1");

	private static final List<String> DURATIONS = List.of("0", "-1", "1", "0s", "-1s", "1s", "1 s", "1.5s", "1S", "+1s",
			"1ns", "999us", "1ms", "2m", "10m1s", "11m", "1h", "23h", "1d", "7d", "8d", "365d", "366d", "1w", "1y",
			"1 fortnight", "PT1S", "PT-1S", "PT0.001S", "P7D", "P1M", "PT", "pt5s", "2s 3ms", "9223372036854775807",
			"9223372036854775807d", "9223372036854775808ns", "-9223372036854775808s", "PT9223372036854775807S", "soon",
			"٣s", "1µs");

	private static final List<String> TIMES = List.of("2026-01-01T00:00:00Z", "1970-01-01T00:00:00Z",
			"1969-12-31T23:59:59.999Z", "2026-01-01T00:00:00.001Z", "2026-01-01T00:00:00.0001Z", "2126-01-01T00:00:00Z",
			"-1000000000-01-01T00:00:00Z", "+1000000000-12-31T23:59:59.999999999Z", "2026-01-01",
			"2026-02-30T00:00:00Z", "2026-01-01T00:00:00+08:00", "1288834974657", "now", "yesterday");

	private static final List<String> BOOLEANS = List.of("true", "false", "TRUE", "False", "on", "off", "yes", "no",
			"1", "0", "2", "maybe", "truee", " true", "y");

	private static final List<String> TABLES = List.of("leaf_alloc", "LEAF_ALLOC", "Leaf_Alloc", "public.leaf_alloc",
			"PUBLIC.other_alloc", "nowhere.leaf_alloc", "a.b.c.d", ".x", "x.", "1table", "table", "select",
			"\"quoted\"", "leaf alloc", "leaf_alloc; DROP TABLE leaf_alloc", "x".repeat(64), "x".repeat(300), "_", "$");

	private static final List<String> CONNECT_STRINGS = List.of("127.0.0.1:1", "127.0.0.1:0", "127.0.0.1:65535",
			"127.0.0.1:65536", "127.0.0.1:99999", "127.0.0.1:-1", "127.0.0.1", "127.0.0.1:", "[::1]:1", "::1:1", "[::1",
			"127.0.0.1:1,127.0.0.1:2", "127.0.0.1:1,", ",", "127.0.0.1:1/apps", "127.0.0.1:1/", "127.0.0.1:1//a",
			"127.0.0.1:1/a/../b", "127.0.0.1:1/\u0001", "/apps", "no-such-host.invalid:2181", "zk:many", "http://zk:1",
			"999.999.999.999:1", "zk_1:1", "127.0.0.1:1 127.0.0.1:2", "127.0.0.1:1/a b");

	private static final List<String> URLS = List.of("jdbc:", "jdbc:h2", "jdbc:h2:", "jdbc:h2:mem:other;NOPE=1",
			"jdbc:h2:tcp://127.0.0.1:1/x", "jdbc:nowhere:x", "h2:mem:x", "jdbc:h2:mem:other",
			"jdbc:mysql://127.0.0.1:1/x", "jdbc:mysql://", "http://x", "jdbc:h2:/proc/leaf/x", "JDBC:H2:MEM:other");

	private static final List<String> SERVERS = List.of("http://127.0.0.1:1", "https://127.0.0.1:1/leaf",
			"http://127.0.0.1:1,http://127.0.0.1:2", "", ",", "127.0.0.1:1", "ftp://x", "http://", "http://a b",
			"http://x?y", "http://user:password@x", "http://x/#y", "http://no-such-host.invalid", "http://[::1]:1",
			"http://x:99999");

	private static final List<String> CREDENTIALS = List.of("user:password", "nocolon", ":", "user:", ":password",
			"ü:ü:ü", "user:pass word");

	private final Random random;

	private final Path directory;

	PropertyValues(Random random, Path directory) {
		this.random = random;
		this.directory = directory;
	}

	String next(JsonNode property) {
		// of another type than the property's
		if (this.random.nextInt(12) == 0 && !property.get("name").asString().endsWith("state-dir")) {
			return one(List.of(one(TEXTS), one(NUMBERS), one(DURATIONS), text()));
		}
		return ofType(property);
	}

	private String ofType(JsonNode property) {
		String name = property.get("name").asString();
		switch (name.substring(name.lastIndexOf('.') + 1)) {
			case "table":
				return one(TABLES);
			case "connect-string":
				return one(CONNECT_STRINGS);
			case "url":
				return one(URLS);
			case "urls":
				return one(SERVERS);
			case "auth":
				return one(CREDENTIALS);
			case "state-dir":
				return path();
			case "epoch":
				return one(TIMES);
			case "keys":
				return constant(LeafProperties.Mode.class.getName());
			default:
		}
		String type = property.get("type").asString();
		return switch (type) {
			case "java.lang.Boolean" -> one(BOOLEANS);
			case "java.lang.Double", "java.lang.Integer", "java.lang.Long" -> number(property);
			case "java.time.Duration" -> duration();
			case "java.lang.String" -> this.random.nextBoolean() ? one(TEXTS) : text();
			default -> constant(type);
		};
	}

	private String number(JsonNode property) {
		List<String> numbers = new ArrayList<>(NUMBERS);
		Matcher range = RANGE.matcher(property.get("description").asString());
		if (range.find()) {
			for (int group = 1; group <= 2; group++) {
				BigInteger bound = new BigInteger(range.group(group));
				numbers.add(bound.toString());
				numbers.add(bound.add(BigInteger.ONE).toString());
				numbers.add(bound.subtract(BigInteger.ONE).toString());
			}
		}
		numbers.add(Integer.toString(this.random.nextInt(64)));
		numbers.add(Long.toString(this.random.nextLong()));
		return one(numbers);
	}

	private String duration() {
		if (this.random.nextInt(3) > 0) {
			return one(DURATIONS);
		}
		return this.random.nextLong(-2, 100) + one(List.of("ns", "us", "ms", "s", "m", "h", "d", "y", "", "min", "Ms"));
	}

	// an enum constant in an accepted or almost accepted spelling
	private String constant(String type) {
		try {
			Object[] constants = Class.forName(type).getEnumConstants();
			String name = constants[this.random.nextInt(constants.length)].toString();
			return switch (this.random.nextInt(6)) {
				case 0 -> name;
				case 1 -> name.toLowerCase(Locale.ROOT);
				case 2 -> name.toLowerCase(Locale.ROOT).replace('_', '-');
				case 3 -> name.charAt(0) + "-" + name.substring(1).toLowerCase(Locale.ROOT);
				case 4 -> name + "s";
				default -> one(TEXTS);
			};
		}
		catch (ClassNotFoundException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private String path() {
		return switch (this.random.nextInt(8)) {
			case 0 -> this.directory.resolve("file").toString();
			case 1 -> this.directory.resolve("file").resolve("below").toString();
			case 2 -> this.directory + "/a/b/c/" + this.random.nextInt(100);
			case 3 -> this.directory + "/" + "x".repeat(300);
			case 4 -> "/proc/leaf";
			case 5 -> one(List.of("", " ", "\u0000", "/dev/null", "/\u0000/x"));
			default -> this.directory + "/" + one(TEXTS).replace("..", "dots");
		};
	}

	private String text() {
		int length = switch (this.random.nextInt(4)) {
			case 0 -> 129;
			case 1 -> 10_000;
			default -> 1 + this.random.nextInt(30);
		};
		int to = one(List.of(0x7f, 0x500, 0x10000));
		StringBuilder text = new StringBuilder();
		for (int i = 0; i < length; i++) {
			text.append((char) this.random.nextInt(1, to));
		}
		// Spring resolves these to other values
		return text.toString().replace("${", "{");
	}

	private <T> T one(List<T> values) {
		return values.get(this.random.nextInt(values.size()));
	}

}
