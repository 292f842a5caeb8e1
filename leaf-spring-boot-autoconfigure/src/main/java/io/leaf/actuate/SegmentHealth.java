// SPDX-License-Identifier: Apache-2.0

package io.leaf.actuate;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.leaf.actuate.HealthReport.Level;
import io.leaf.segment.SegmentIdGenerator;
import io.leaf.segment.SegmentStatus;

/**
 * The health of segment mode. Reads memory only.
 * <p>
 * The health is down if a key has no number left and either fetching fails or a fetch
 * that calls wait for has taken more than a second. It is also down if no key is known
 * because the rows could not be read. There is a warning if fetching fails and few
 * numbers are left, or if few numbers of a period are left. Segments are fetched on
 * demand, so an unavailable database is noticed only when a fetch is needed.
 */
final class SegmentHealth {

	/**
	 * The maximum number of keys that are named in the reasons for a health status.
	 */
	private static final int MAX_REASONS = 10;

	/**
	 * How long calls may wait for a fetch before the health is down, even if no attempt
	 * has failed yet.
	 */
	private static final Duration LONGEST_FETCH = Duration.ofSeconds(1);

	/**
	 * The fraction of a period's numbers that may be allocated without a warning.
	 */
	private static final double FULL_PERIOD = 0.9;

	private final SegmentIdGenerator generator;

	private final double lowBuffer;

	/**
	 * Creates the health of segment mode.
	 * @param generator the generator
	 * @param lowBuffer warn if fetching fails and the numbers left are fewer than this
	 * fraction (from 0 to 1) of a step
	 */
	SegmentHealth(SegmentIdGenerator generator, double lowBuffer) {
		this.generator = generator;
		this.lowBuffer = lowBuffer;
	}

	HealthReport report() {
		int keys = this.generator.keyCount();
		Map<String, Object> details = new LinkedHashMap<>();
		details.put("keys", keys);
		List<String> empty = new ArrayList<>();
		List<String> low = new ArrayList<>();
		Throwable rowsFailure = this.generator.rowsFailure();
		if (keys == 0 && rowsFailure != null) {
			empty.add("No keys are known: " + rowsFailure.getMessage());
		}
		// keys that are not in use need no numbers
		this.generator.usedStatus().forEach((key, status) -> {
			long remaining = MeasuredKeys.remaining(status);
			if (status.failedAttempts() > 0 && remaining == 0) {
				empty.add("No IDs left for key '%s'%s".formatted(key, failures(status)));
			}
			else if (remaining == 0 && status.awaited().compareTo(LONGEST_FETCH) > 0) {
				empty.add("No IDs left for key '%s', and fetching more has taken %d ms so far".formatted(key,
						status.awaited().toMillis()));
			}
			else if (status.failedAttempts() > 0 && remaining < this.lowBuffer * status.step()) {
				low.add("%d IDs left for key '%s'%s".formatted(remaining, key, failures(status)));
			}
			else if (status.period() != null
					&& status.period().allocated() >= FULL_PERIOD * status.period().capacity()) {
				low.add("%d of the %d numbers of period %d of key '%s' have been allocated; the next period begins at %s"
					.formatted(status.period().allocated(), status.period().capacity(), status.period().number(), key,
							status.period().until()));
			}
		});
		List<String> reasons = new ArrayList<>(empty);
		reasons.addAll(low);
		if (!reasons.isEmpty()) {
			details.put(HealthReport.REASONS, shortened(reasons));
		}
		Level level = low.isEmpty() ? Level.UP : Level.WARNING;
		return new HealthReport(empty.isEmpty() ? level : Level.DOWN, details);
	}

	private static String failures(SegmentStatus status) {
		return ", and %d attempts to fetch more have failed: %s".formatted(status.failedAttempts(), status.lastError());
	}

	private static List<String> shortened(List<String> reasons) {
		if (reasons.size() <= MAX_REASONS) {
			return reasons;
		}
		List<String> shortened = new ArrayList<>(reasons.subList(0, MAX_REASONS));
		shortened.add("and %d more keys".formatted(reasons.size() - MAX_REASONS));
		return shortened;
	}

}
