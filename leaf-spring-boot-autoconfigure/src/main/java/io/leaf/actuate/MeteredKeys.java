// SPDX-License-Identifier: Apache-2.0

package io.leaf.actuate;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Which keys have time series of their own. There may be ten thousand keys, and a dozen
 * time series to each; so beyond a bound they share those of {@value #OTHERS}.
 * <p>
 * Safe for use by any number of threads.
 */
public final class MeteredKeys {

	/**
	 * The tag of all keys beyond the bound.
	 */
	public static final String OTHERS = "_others";

	private final int max;

	private final AtomicInteger count = new AtomicInteger();

	private final Map<String, String> tags = new ConcurrentHashMap<>();

	/**
	 * Starts without any.
	 * @param max how many keys may have time series of their own, zero or more
	 */
	public MeteredKeys(int max) {
		this.max = max;
	}

	/**
	 * Returns the tag of a key. It does not change any more.
	 * @param key a key that there is a row for
	 * @return the key, or {@value #OTHERS}
	 */
	public String tagOf(String key) {
		return this.tags.computeIfAbsent(key, this::assign);
	}

	private String assign(String key) {
		return (!key.equals(OTHERS) && this.count.getAndIncrement() < this.max) ? key : OTHERS;
	}

}
