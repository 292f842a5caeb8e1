// SPDX-License-Identifier: Apache-2.0

package io.leaf.actuate;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Decides which keys have their own time series. There may be ten thousand keys with a
 * dozen time series each, so keys beyond a limit share the time series of
 * {@value #OTHERS}.
 * <p>
 * Safe for use by any number of threads.
 */
public final class MeteredKeys {

	/**
	 * The tag of all keys beyond the limit.
	 */
	public static final String OTHERS = "_others";

	private final int max;

	private final AtomicInteger count = new AtomicInteger();

	private final Map<String, String> tags = new ConcurrentHashMap<>();

	/**
	 * Creates an instance that knows no keys yet.
	 * @param max the largest number of keys with their own time series, zero or more
	 */
	public MeteredKeys(int max) {
		this.max = max;
	}

	/**
	 * Returns the tag of a key. The tag of a key never changes.
	 * @param key a key that has a row
	 * @return the key, or {@value #OTHERS} if the key is beyond the limit
	 */
	public String tagOf(String key) {
		return this.tags.computeIfAbsent(key, this::assign);
	}

	private String assign(String key) {
		return (!key.equals(OTHERS) && this.count.getAndIncrement() < this.max) ? key : OTHERS;
	}

}
