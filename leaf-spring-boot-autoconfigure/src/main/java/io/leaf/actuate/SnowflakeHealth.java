// SPDX-License-Identifier: Apache-2.0

package io.leaf.actuate;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.leaf.actuate.HealthReport.Level;
import io.leaf.snowflake.SnowflakeLanes;
import io.leaf.snowflake.lease.LeaseKeeper;
import io.leaf.support.DurationText;

/**
 * The health of snowflake mode. Reads memory only.
 * <p>
 * The health is down if the process holds no worker ID, if its lease has expired, or if
 * the layout has run out of timestamps. There is a warning if renewals fail and the lease
 * is about to expire, if the layout is about to run out of timestamps, if the wall clock
 * and the generator's clock differ too much, or if the state file would not allow the
 * process to resume its lease after a restart.
 */
final class SnowflakeHealth {

	private final SnowflakeLanes lanes;

	private final LeaseKeeper keeper;

	private final HealthThresholds thresholds;

	/**
	 * Creates the health of snowflake mode.
	 * @param lanes the lanes that issue IDs
	 * @param keeper the keeper of the lanes' leases
	 * @param thresholds the thresholds of warnings
	 */
	SnowflakeHealth(SnowflakeLanes lanes, LeaseKeeper keeper, HealthThresholds thresholds) {
		this.lanes = lanes;
		this.keeper = keeper;
		this.thresholds = thresholds;
	}

	HealthReport report() {
		LeaseKeeper.Status status = this.keeper.status();
		Instant now = Instant.ofEpochMilli(this.lanes.clock().millis());
		Instant exhaustedAt = this.lanes.settings().layout().exhaustedAt();
		Map<String, Object> details = new LinkedHashMap<>();
		details.put("workerIds", status.workerIds());
		details.put("source", status.source());
		if (status.horizon() != null) {
			details.put("horizon", status.horizon().toString());
		}
		details.put("layoutExhaustedAt", exhaustedAt.toString());
		List<String> obstacles = obstacles(status, now, exhaustedAt);
		List<String> reasons = new ArrayList<>(obstacles);
		reasons.addAll(warnings(status, now, exhaustedAt));
		if (!reasons.isEmpty()) {
			details.put(HealthReport.REASONS, reasons);
		}
		Level level = reasons.isEmpty() ? Level.UP : Level.WARNING;
		return new HealthReport(obstacles.isEmpty() ? level : Level.DOWN, details);
	}

	private List<String> obstacles(LeaseKeeper.Status status, Instant now, Instant exhaustedAt) {
		List<String> obstacles = new ArrayList<>();
		if (status.horizon() == null) {
			obstacles.add("This process holds no worker ID" + because(status));
		}
		else if (status.horizon().isBefore(now)) {
			obstacles.add("The lease on worker ID %s ended at %s%s".formatted(status.workerIds(), status.horizon(),
					because(status)));
		}
		if (exhaustedAt.isBefore(now)) {
			obstacles.add("The layout ran out of timestamps at %s".formatted(exhaustedAt));
		}
		return obstacles;
	}

	private List<String> warnings(LeaseKeeper.Status status, Instant now, Instant exhaustedAt) {
		List<String> warnings = new ArrayList<>();
		if (status.horizon() != null && status.lastError() != null && !status.horizon().isBefore(now)) {
			double left = Duration.between(now, status.horizon()).toMillis() / (double) status.window().toMillis();
			if (left < this.thresholds.lowHorizon()) {
				warnings.add("The lease on worker ID %s ends at %s and is not renewed%s".formatted(status.workerIds(),
						status.horizon(), because(status)));
			}
		}
		Duration offset = Duration.ofMillis(this.lanes.clock().offsetMillis());
		if (offset.abs().compareTo(this.thresholds.maxDrift()) > 0) {
			warnings.add(
					"The wall clock is %s %s the generator's clock. leaf.snowflake.clock.max-drift allows %s. Check this machine's time synchronization"
						.formatted(DurationText.of(offset.abs()), offset.isNegative() ? "behind" : "ahead of",
								DurationText.of(this.thresholds.maxDrift())));
		}
		if (!exhaustedAt.isBefore(now)
				&& Duration.between(now, exhaustedAt).compareTo(this.thresholds.layoutWarning()) < 0) {
			warnings.add("The layout runs out of timestamps at %s. After that, no snowflake ID can be issued"
				.formatted(exhaustedAt));
		}
		if (status.stateFileError() != null) {
			warnings.add("After a restart while the store is unavailable, this process would issue no IDs: "
					+ status.stateFileError());
		}
		return warnings;
	}

	private static String because(LeaseKeeper.Status status) {
		return (status.lastError() != null) ? ": " + status.lastError() : "";
	}

}
