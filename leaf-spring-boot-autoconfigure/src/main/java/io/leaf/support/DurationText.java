// SPDX-License-Identifier: Apache-2.0

package io.leaf.support;

import java.math.BigDecimal;
import java.time.Duration;

/**
 * Formats durations for messages: {@code 100 ms}, {@code 3 s}, {@code 15 min},
 * {@code 1 h}, {@code 7 d}.
 */
public final class DurationText {

	private DurationText() {
	}

	/**
	 * Formats a duration, truncated to milliseconds. A duration of less than a second is
	 * given in milliseconds. A whole number of seconds is given in the largest unit that
	 * needs no fraction, and any other duration is given in seconds with a fraction.
	 * @param duration the duration
	 * @return a number and a unit
	 */
	public static String of(Duration duration) {
		// toMillis() is not used, because it overflows for the longest durations
		long seconds = duration.getSeconds();
		int millis = duration.getNano() / 1_000_000;
		if (seconds == 0 || (seconds == -1 && millis > 0)) {
			return (seconds * 1000 + millis) + " ms";
		}
		if (millis != 0) {
			BigDecimal fraction = BigDecimal.valueOf(millis, 3);
			return BigDecimal.valueOf(seconds).add(fraction).stripTrailingZeros().toPlainString() + " s";
		}
		if (seconds % 60 != 0) {
			return seconds + " s";
		}
		if (seconds % 3600 != 0) {
			return seconds / 60 + " min";
		}
		return (seconds % 86_400 != 0) ? seconds / 3600 + " h" : seconds / 86_400 + " d";
	}

}
