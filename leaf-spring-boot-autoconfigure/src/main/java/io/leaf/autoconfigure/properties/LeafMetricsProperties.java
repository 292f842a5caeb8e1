// SPDX-License-Identifier: Apache-2.0

package io.leaf.autoconfigure.properties;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Properties of the meters.
 *
 * @param maxKeys Maximum number of keys that have meters of their own, from 0 to 10000.
 * All other keys are measured together, as key "_others".
 */
@ConfigurationProperties("leaf.metrics")
public record LeafMetricsProperties(@DefaultValue("100") int maxKeys) {

	private static final int MAX = 10_000;

	public int validMaxKeys() {
		new PropertyRanges("leaf.metrics").requireBetween("max-keys", this.maxKeys, 0, MAX);
		return this.maxKeys;
	}

}
