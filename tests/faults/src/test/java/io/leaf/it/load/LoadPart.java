// SPDX-License-Identifier: Apache-2.0

package io.leaf.it.load;

import java.util.List;
import java.util.stream.IntStream;

/**
 * The parts of the test: the keys for which callers request IDs, and the rate.
 */
enum LoadPart {

	ONE_KEY(1, 0, "one key"),

	THOUSAND_KEYS(1000, 0, "1,000 keys"),

	ONE_KEY_PACED(1, 1_000_000, "one key, a million IDs per second"),

	SNOWFLAKE(1, 0, "snowflake");

	/** The number of keys that all parts need. */
	static final int KEYS = 1000;

	private final int keys;

	private final int idsPerSecond;

	private final String description;

	LoadPart(int keys, int idsPerSecond, String description) {
		this.keys = keys;
		this.idsPerSecond = idsPerSecond;
		this.description = description;
	}

	List<String> keys() {
		return IntStream.range(0, this.keys).mapToObj(LoadPart::key).toList();
	}

	static String key(int number) {
		return "key" + number;
	}

	/**
	 * Returns how many IDs all callers together request per second, or 0 for as many as
	 * possible.
	 */
	int idsPerSecond() {
		return this.idsPerSecond;
	}

	/**
	 * Returns the properties of the application.
	 */
	List<String> properties() {
		String mode = (this == SNOWFLAKE) ? "leaf.segment.enabled=false" : "leaf.segment.acquire-timeout=30s";
		return List.of("--" + mode, "--leaf.snowflake.enabled=" + (this == SNOWFLAKE));
	}

	@Override
	public String toString() {
		return this.description;
	}

}
