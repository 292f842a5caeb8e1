// SPDX-License-Identifier: Apache-2.0

package io.leaf.snowflake.lease;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Random;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;

import io.leaf.ClockDriftException;
import io.leaf.snowflake.GeneratorClock;
import io.leaf.support.DurationText;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compares the wall clock with other clocks at startup. A live member is a process that
 * holds a lease and has written the lease record recently. If there are at least three
 * live members, the wall clock is compared with the median of their clocks, so that a
 * single member with a wrong clock has no effect. Otherwise, the wall clock is compared
 * with the clock of the store, so that even the first process is checked.
 * <p>
 * Each member writes the time of its wall clock into its lease record, and the store
 * records its own time with each write. The difference between these two times shows how
 * far the member's clock is ahead of the store's clock.
 */
record ClockCheck(WorkerLeaseStore store, LeaseSettings settings, GeneratorClock clock, RandomGenerator random) {

	private static final Logger logger = LoggerFactory.getLogger(ClockCheck.class);

	private static final int MIN_MEMBERS = 3;

	// a live member has written its lease record within this many report intervals
	private static final int RECENT_INTERVALS = 10;

	// the largest number of members to compare; more members would hardly improve the
	// median
	private static final int MAX_MEMBERS = 16;

	/**
	 * Checks the clock. If the store has no clock, the check passes.
	 * @return all lease records, read after the store's clock was read
	 * @throws ClockDriftException if the wall clock differs from the clocks that it is
	 * compared with by more than the allowed drift
	 * @throws WorkerLeaseStoreException if the store cannot be reached
	 */
	List<LeaseRecord> check() {
		long before = this.clock.wallMillis();
		OptionalLong answer = this.store.currentTime();
		long own = before + (this.clock.wallMillis() - before) / 2;
		List<LeaseRecord> records = this.store.readAll();
		if (answer.isPresent()) {
			compare(own, answer.getAsLong(), records);
		}
		return records;
	}

	private void compare(long own, long storeTime, List<LeaseRecord> records) {
		Map<String, Long> members = members(records, storeTime);
		String storeClock = "the clock of the store (%s) shows %s".formatted(this.store.source(),
				Instant.ofEpochMilli(storeTime));
		if (members.size() < MIN_MEMBERS) {
			if (isTooFar(own - storeTime)) {
				throw drift(own, storeClock, storeTime,
						"Correct this machine's clock, or that of the store, whichever is wrong (NTP)"
								+ clocksOf(members));
			}
			return;
		}
		long median = median(members.values());
		String others = "the median of the clocks of %d processes that reported recently is %s"
			.formatted(members.size(), Instant.ofEpochMilli(median));
		if (isTooFar(own - median)) {
			throw drift(own, others, median,
					"Correct this machine's clock (NTP). For comparison, " + storeClock + clocksOf(members));
		}
		if (isTooFar(storeTime - median)) {
			logger.warn("Correct the clock of the store: {}, but {}", storeClock, others);
		}
	}

	// Returns the labels of at most MAX_MEMBERS live members, chosen at random, each with
	// the time that the member's clock showed when the store's clock was read.
	private Map<String, Long> members(List<LeaseRecord> records, long storeTime) {
		long recent = storeTime - this.settings.reportInterval().multipliedBy(RECENT_INTERVALS).toMillis();
		// A process with several lanes, or a process that was killed and restarted, has
		// several lease records but only one clock. The latest lease record is used.
		Map<String, LeaseRecord> latest = new TreeMap<>();
		records.stream()
			.filter((record) -> !record.lease().isReleased() && record.storedAt() != null
					&& record.storedAt() >= recent)
			.sorted(Comparator.comparing((record) -> Objects.requireNonNull(record.storedAt())))
			.forEach((record) -> latest.put(record.lease().host(), record));
		List<LeaseRecord> drawn = new ArrayList<>(latest.values());
		Collections.shuffle(drawn, new Random(this.random.nextLong()));
		Map<String, Long> members = new TreeMap<>();
		drawn.stream()
			.limit(MAX_MEMBERS)
			.forEach((record) -> members.put(record.lease().host(),
					storeTime + record.lease().reported() - Objects.requireNonNull(record.storedAt())));
		return members;
	}

	private static long median(Collection<Long> members) {
		List<Long> clocks = members.stream().sorted().toList();
		long lower = clocks.get((clocks.size() - 1) / 2);
		return lower + (clocks.get(clocks.size() / 2) - lower) / 2;
	}

	/**
	 * Checks the clock against the timestamps that this process used before its restart.
	 * @param used the generator's clock when the state file was last written, or the
	 * largest timestamp used until then if that was later
	 * @throws ClockDriftException if the clock is behind by more than the allowed drift
	 */
	void checkSaved(long used) {
		long own = this.clock.wallMillis();
		if (used > own && isTooFar(used - own)) {
			throw drift(own, "%s may have used timestamps up to %s before its restart".formatted(this.settings.host(),
					Instant.ofEpochMilli(used)), used, "Correct this machine's clock (NTP)");
		}
	}

	private boolean isTooFar(long difference) {
		return Math.abs(difference) > this.settings.maxDrift().toMillis();
	}

	private ClockDriftException drift(long own, String others, long other, String advice) {
		return new ClockDriftException(
				"The clock of this machine shows %s, but %s: they are %s apart. %s. To start anyway, set leaf.snowflake.clock.max-drift (%s) to more than the difference"
					.formatted(Instant.ofEpochMilli(own), others,
							DurationText.of(Duration.ofMillis(Math.abs(own - other))), advice,
							DurationText.of(this.settings.maxDrift())));
	}

	private static String clocksOf(Map<String, Long> members) {
		return members.isEmpty() ? ""
				: members.entrySet()
					.stream()
					.map((member) -> "%s shows %s".formatted(member.getKey(), Instant.ofEpochMilli(member.getValue())))
					.collect(Collectors.joining(", ", ". Of the processes that reported recently, ", ""));
	}

}
