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

package io.leaf.autoconfigure;

import java.util.Map;

import io.leaf.IdGenerator;
import io.leaf.IdSequence;
import io.leaf.Requests;
import io.leaf.support.NewKeys;

/**
 * Asks the generator of the mode that a key has.
 *
 * @param byKey the generators of the keys whose mode is configured
 * @param other the generator of all others
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
	public IdSequence sequence(String key) {
		return of(key).sequence(key);
	}

	@Override
	public boolean isNew(String key) {
		return of(key) instanceof NewKeys keys && keys.isNew(key);
	}

	@Override
	public void startAbove(String key, long largestId) {
		if (of(key) instanceof NewKeys keys) {
			keys.startAbove(key, largestId);
		}
	}

	private IdGenerator of(String key) {
		return this.byKey.getOrDefault(Requests.checkKey(key), this.other);
	}

}
