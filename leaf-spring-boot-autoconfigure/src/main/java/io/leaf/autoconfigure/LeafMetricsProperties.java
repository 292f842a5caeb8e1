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

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Properties of the meters.
 *
 * @param maxKeys Number of keys that have meters of their own, from 0 to 10000. All
 * others are measured together, as key "_others".
 */
@ConfigurationProperties("leaf.metrics")
public record LeafMetricsProperties(@DefaultValue("100") int maxKeys) {

	private static final int MAX = 10_000;

	int validMaxKeys() {
		new PropertyRanges("leaf.metrics").requireBetween("max-keys", this.maxKeys, 0, MAX);
		return this.maxKeys;
	}

}
