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

import java.time.Instant;

import io.leaf.snowflake.SnowflakeLayout;
import io.leaf.snowflake.SnowflakeLayout.Unit;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;

/**
 * Properties of snowflake IDs.
 *
 * @param layout How the bits of an ID are divided.
 */
@ConfigurationProperties("leaf.snowflake")
public record LeafSnowflakeProperties(@DefaultValue Layout layout) {

	private static final String PREFIX = "leaf.snowflake.layout";

	/**
	 * Returns the layout: the preset, save for what is set beside it.
	 * @param now the present time, which lies within the lifetime of a layout that can be
	 * used
	 * @throws InvalidConfigurationPropertyValueException if a value is out of its range
	 */
	SnowflakeLayout layout(Instant now) {
		SnowflakeLayout preset = this.layout.preset().layout;
		int timestampBits = bits("timestamp-bits", this.layout.timestampBits(), preset.timestampBits(), 1, 63);
		int workerBits = bits("worker-bits", this.layout.workerBits(), preset.workerBits(), 0, 31);
		int sequenceBits = bits("sequence-bits", this.layout.sequenceBits(), preset.sequenceBits(), 0, 31);
		Unit unit = (this.layout.unit() != null) ? this.layout.unit() : preset.unit();
		Instant epoch = (this.layout.epoch() != null) ? this.layout.epoch() : preset.epoch();
		SnowflakeLayout layout;
		try {
			layout = new SnowflakeLayout(timestampBits, workerBits, sequenceBits, unit, epoch);
		}
		catch (IllegalArgumentException ex) {
			String reason = String.valueOf(ex.getMessage());
			throw invalid(reason.startsWith("epoch") ? ".epoch" : "", this.layout, reason);
		}
		if (epoch.isAfter(now)) {
			throw invalid(".epoch", epoch, "It must not be in the future, and it is now %s".formatted(now));
		}
		if (!layout.exhaustedAt().isAfter(now)) {
			throw invalid(".epoch", epoch,
					"With %d bits of %s this layout ran out at %s: choose a later epoch or more timestamp-bits. IDs of another layout may collide with those already issued"
						.formatted(timestampBits, unit, layout.exhaustedAt()));
		}
		return layout;
	}

	private static int bits(String name, @Nullable Integer bits, int preset, int min, int max) {
		if (bits == null) {
			return preset;
		}
		if (bits < min || bits > max) {
			throw invalid("." + name, bits, "It must be from %d to %d".formatted(min, max));
		}
		return bits;
	}

	private static InvalidConfigurationPropertyValueException invalid(String name, Object value, String reason) {
		return new InvalidConfigurationPropertyValueException(PREFIX + name, value, reason);
	}

	/**
	 * How the bits of an ID are divided.
	 *
	 * @param preset Layout that holds where nothing else is set: that of Meituan's Leaf,
	 * that of Baidu's uid-generator with a later epoch, or one of 53 bits for JavaScript.
	 * @param timestampBits Number of bits for the time, from 1 to 63. With the others at
	 * most 63.
	 * @param workerBits Number of bits for the worker ID, from 0 to 31.
	 * @param sequenceBits Number of bits for the sequence within a tick, from 0 to 31.
	 * @param unit Length of a tick.
	 * @param epoch Time that is 0, such as 2026-01-01T00:00:00Z. Not in the future.
	 */
	public record Layout(@DefaultValue("leaf") Preset preset, @Nullable Integer timestampBits,
			@Nullable Integer workerBits, @Nullable Integer sequenceBits, @Nullable Unit unit,
			@Nullable Instant epoch) {

	}

	/**
	 * Layouts to choose from.
	 */
	public enum Preset {

		/**
		 * 41 bits of milliseconds, 10 bits for the worker and 12 for the sequence, as
		 * Leaf has it.
		 */
		LEAF(SnowflakeLayout.LEAF),

		/**
		 * 28 bits of seconds, 22 bits for the worker and 13 for the sequence.
		 */
		BAIDU(SnowflakeLayout.BAIDU),

		/**
		 * 41 bits of milliseconds, 6 bits for the worker and 6 for the sequence: numbers
		 * that JavaScript holds.
		 */
		JS_SAFE(SnowflakeLayout.JS_SAFE);

		private final SnowflakeLayout layout;

		Preset(SnowflakeLayout layout) {
			this.layout = layout;
		}

	}

}
