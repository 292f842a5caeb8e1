// SPDX-License-Identifier: Apache-2.0

package io.leaf.autoconfigure.properties;

import java.time.Duration;
import java.time.ZoneId;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import io.leaf.segment.KeyPeriod;
import io.leaf.segment.KeySettings;
import io.leaf.segment.Ordering;
import io.leaf.segment.PeriodUnit;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.core.env.Environment;

/**
 * Properties common to all modes.
 *
 * @param name Name of the application. In snowflake mode, worker IDs are leased under
 * this name, so processes with different names may issue the same IDs. Defaults to
 * spring.application.name, or else "application".
 * @param defaultMode Mode of the keys for which no mode is set. Defaults to the only mode
 * that is enabled, or 'segment' if both are.
 * @param keys Settings of individual keys: 'mode', 'start-from', 'ordering', 'period',
 * 'period-zone', 'digits', 'format', 'former-formats', 'secret' and 'former-secrets'. A
 * key with characters other than lower-case letters, digits and '-' is written in
 * brackets, as in leaf.keys[order_item].mode.
 */
@ConfigurationProperties("leaf")
public record LeafProperties(@Nullable String name, @Nullable Mode defaultMode, @DefaultValue Map<String, Key> keys) {

	/**
	 * The width of the column {@code name} in the table {@code leaf_worker}.
	 */
	private static final int MAX_NAME_LENGTH = 128;

	private static final long MAX_START = 9_000_000_000_000_000_000L;

	public String nameOr(Environment environment) {
		String rule = "a text of 1 to %d characters, not blank and without '/'".formatted(MAX_NAME_LENGTH);
		if (this.name != null) {
			new PropertyRanges("leaf").require("name", this.name, isName(this.name), rule);
			return this.name;
		}
		String name = environment.getProperty("spring.application.name", "application");
		if (!isName(name)) {
			throw new LeafStartupException(
					"leaf.name is not set, so the application would issue IDs under the name in spring.application.name%s, but '%s' (%d characters) is not a valid leaf.name."
						.formatted(PropertyOrigin.of(environment, "spring.application.name"), name, name.length()),
					"Set leaf.name to %s.".formatted(rule));
		}
		return name;
	}

	private static boolean isName(String name) {
		return !name.isBlank() && name.length() <= MAX_NAME_LENGTH && !name.contains("/");
	}

	/**
	 * Returns the segment mode settings of the keys in {@code leaf.keys}.
	 * @param maxDrift how far the counter of a key with a period may be ahead of the
	 * clock of the store
	 * @throws InvalidConfigurationPropertyValueException if a value is out of range, or
	 * contradicts another value
	 */
	public Map<String, KeySettings> segmentKeys(Duration maxDrift) {
		Map<String, KeySettings> segmentKeys = new HashMap<>();
		this.keys.forEach((key, settings) -> {
			new PropertyRanges(name(key)).requireBetween("start-from", settings.startFrom(), 1L, MAX_START);
			segmentKeys.put(key,
					new KeySettings(settings.startFrom(), settings.ordering(), settings.period(name(key), maxDrift)));
		});
		return Map.copyOf(segmentKeys);
	}

	/**
	 * Returns the prefix of the property names of a key.
	 */
	public static String name(String key) {
		return key.matches("[a-z0-9-]+") ? "leaf.keys." + key : "leaf.keys[" + key + "]";
	}

	/**
	 * Settings of a key.
	 *
	 * @param mode How the IDs of the key are issued. Defaults to leaf.default-mode.
	 * @param startFrom Smallest number to issue for the key, from 1 to
	 * 9000000000000000000. Has an effect only if Leaf adds the row of the key
	 * (leaf.segment.auto-create.enabled). Must not be set for a key with a period.
	 * Defaults to 1.
	 * @param ordering Order of the IDs of the key, as described for
	 * leaf.segment.ordering. Must not be 'striped' for a key with a period. Segment mode
	 * only. Defaults to leaf.segment.ordering, or 'global' for a key with a period.
	 * @param period Period after which the numbers of the key begin at 1 again: 'day',
	 * 'month' or 'year'. An ID is the number of its period, such as 20261122 for a day,
	 * followed by the number within the period, with leading zeros. Must not be added or
	 * changed once IDs of the key have been issued. Segment mode only.
	 * @param periodZone Time zone in which periods begin, such as 'Asia/Shanghai' or
	 * '+08:00'. Required for a key with a period, and must not be changed once IDs have
	 * been issued.
	 * @param digits How many decimal digits of an ID hold the number within the period:
	 * at least 1, and at most 10 for days, 12 for months and 14 for years. Required for a
	 * key with a period, and must not be changed once IDs have been issued.
	 * @param format Format of the IDs of the key as text, such as 'ORD-{crockford}' or
	 * 'SO-{number:8}{check}'. For snowflake IDs, the format must have room for the
	 * largest ID of the layout. Defaults to '{number}', a decimal number.
	 * @param formerFormats Former formats of the key's IDs, separated by commas, or each
	 * with an index, as in leaf.keys.order.former-formats[0]. Texts in these formats can
	 * still be parsed.
	 * @param secret Secret that masks the IDs of the key. Required for a format with
	 * '{masked}'. Has the form 'ID:SECRET'. 'ID' identifies the secret, and is a digit or
	 * a letter other than I, L, O and U. 'SECRET' must have at least 16 bytes. Masking
	 * hides the order and the count of the IDs, but it is not access control.
	 * @param formerSecrets Former secrets of the key, each in the form 'ID:SECRET'. All
	 * secrets of the key, including the current one, must differ in 'ID'. Texts that were
	 * masked with a former secret can still be parsed.
	 */
	public record Key(@Nullable Mode mode, @DefaultValue("1") Long startFrom, @Nullable Ordering ordering,
			@Nullable PeriodUnit period, @Nullable ZoneId periodZone, @Nullable Integer digits, @Nullable String format,
			@DefaultValue List<String> formerFormats, @Nullable String secret,
			@DefaultValue List<String> formerSecrets) {

		private @Nullable KeyPeriod period(String prefix, Duration maxDrift) {
			if (this.period == null) {
				requireNone(prefix + ".period-zone", this.periodZone);
				requireNone(prefix + ".digits", this.digits);
				return null;
			}
			String unit = this.period.name().toLowerCase(Locale.ROOT);
			if (this.mode == Mode.SNOWFLAKE) {
				throw new InvalidConfigurationPropertyValueException(prefix + ".period", unit,
						"Only keys in segment mode have periods. Remove the period, or set %s.mode=segment"
							.formatted(prefix));
			}
			if (this.periodZone == null) {
				throw new InvalidConfigurationPropertyValueException(prefix + ".period", unit,
						"A key with a period needs the time zone in which its periods begin. Set %s.period-zone, for example to 'Asia/Shanghai'"
							.formatted(prefix));
			}
			if (this.digits == null) {
				throw new InvalidConfigurationPropertyValueException(prefix + ".period", unit,
						"A key with a period needs the number of digits of its numbers within a period. Set %s.digits to a value from 1 to %s"
							.formatted(prefix, this.period.maxDigits()));
			}
			new PropertyRanges(prefix).requireBetween("digits", this.digits, 1, this.period.maxDigits());
			if (this.ordering == Ordering.STRIPED) {
				throw new InvalidConfigurationPropertyValueException(prefix + ".ordering", "striped",
						"A key with a period must have the ordering 'global' or 'strict'");
			}
			if (this.startFrom != 1) {
				throw new InvalidConfigurationPropertyValueException(prefix + ".start-from", this.startFrom,
						"The numbers of a key with a period always begin at 1. Remove this property");
			}
			return new KeyPeriod(this.period, this.periodZone, this.digits, maxDrift);
		}

		private static void requireNone(String property, @Nullable Object value) {
			if (value != null) {
				throw new InvalidConfigurationPropertyValueException(property, value,
						"This property has no effect on a key without a period. Remove it, or set the period of the key");
			}
		}

		/**
		 * Returns a text without the secrets.
		 */
		@Override
		public String toString() {
			return "Key[mode=%s, startFrom=%s, ordering=%s, period=%s, periodZone=%s, digits=%s, format=%s, formerFormats=%s]"
				.formatted(this.mode, this.startFrom, this.ordering, this.period, this.periodZone, this.digits,
						this.format, this.formerFormats);
		}

	}

	/**
	 * How IDs are issued.
	 */
	public enum Mode {

		/**
		 * IDs are taken from blocks of numbers.
		 */
		SEGMENT,

		/**
		 * IDs are composed of time, worker ID and sequence.
		 */
		SNOWFLAKE

	}

}
