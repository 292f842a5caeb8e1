// SPDX-License-Identifier: Apache-2.0

package io.leaf.autoconfigure;

import java.util.Map;

import io.leaf.IdGenerator;
import io.leaf.IdSequence;
import io.leaf.support.IdArguments;
import io.leaf.support.NewKeys;

/**
 * Delegates to the generator of the key's mode.
 *
 * @param byKey the generators of the keys that do not use {@code other}
 * @param other the generator of all other keys
 */
record RoutingIdGenerator(Map<String, IdGenerator> byKey, IdGenerator other) implements IdGenerator, NewKeys {

	@Override
	public long nextId(String key) {
		return of(key).nextId(key);
	}

	@Override
	public long[] nextIds(String key, int count) {
		return of(key).nextIds(key, count);
	}

	@Override
	public String nextText(String key) {
		return of(key).nextText(key);
	}

	@Override
	public IdSequence sequence(String key) {
		return of(key).sequence(key);
	}

	@Override
	public boolean isNew(String key) {
		return of(key) instanceof NewKeys keys && keys.isNew(key);
	}

	@Override
	public boolean isDecimal(String key, String text) {
		return of(key) instanceof NewKeys keys && keys.isDecimal(key, text);
	}

	@Override
	public void startAbove(String key, long largestId) {
		if (of(key) instanceof NewKeys keys) {
			keys.startAbove(key, largestId);
		}
	}

	private IdGenerator of(String key) {
		return this.byKey.getOrDefault(IdArguments.checkKey(key), this.other);
	}

}
