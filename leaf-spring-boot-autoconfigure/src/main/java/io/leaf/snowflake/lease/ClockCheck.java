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
 * Compares the wall clock with others' at start: with the median of the live members'
 * clocks if there are at least three of them, else with the store's own clock. So one
 * member whose clock is wrong changes nothing, and the first process of all is checked,
 * too.
 * <p>
 * A member's clock is known by way of the store's: each member reports its wall clock in
 * a write of which the store notes the time.
 */
record ClockCheck(WorkerLeaseStore store, LeaseSettings settings, GeneratorClock clock, RandomGenerator random) {

	private static final Logger logger = LoggerFactory.getLogger(ClockCheck.class);

	/**
	 * How many members outvote a wrong one.
	 */
	private static final int MIN_MEMBERS = 3;

	/**
	 * How many report intervals may have passed since the last report of a live member.
	 */
	private static final int RECENT_INTERVALS = 10;

	/**
	 * How many members are asked at most. More would not make the median better.
	 */
	private static final int MAX_MEMBERS = 16;

	/**
	 * Checks the clock. A store without a clock of its own has nothing to compare with.
	 * @return all registers, read after the store's clock
	 * @throws ClockDriftException if it is off by more than the allowed drift
	 * @throws WorkerLeaseStoreException if the store cannot be reached
	 */
	List<LeaseRegister> check() {
		long before = this.clock.wallMillis();
		OptionalLong answer = this.store.currentTime();
		long own = before + (this.clock.wallMillis() - before) / 2;
		List<LeaseRegister> registers = this.store.readAll();
		if (answer.isPresent()) {
			compare(own, answer.getAsLong(), registers);
		}
		return registers;
	}

	private void compare(long own, long storeTime, List<LeaseRegister> registers) {
		Map<String, Long> members = members(registers, storeTime);
		String storeClock = "the clock of the store (%s) shows %s".formatted(this.store.source(),
				Instant.ofEpochMilli(storeTime));
		if (members.size() < MIN_MEMBERS) {
			if (isTooFar(own - storeTime)) {
				throw drift(own, storeClock, storeTime,
						"Correct this machine's clock, or that of the store, whichever is wrong (NTP)" + told(members));
			}
			return;
		}
		long median = median(members.values());
		String others = "the median of the clocks of %d live members is %s".formatted(members.size(),
				Instant.ofEpochMilli(median));
		if (isTooFar(own - median)) {
			throw drift(own, others, median,
					"Correct this machine's clock (NTP). For comparison, " + storeClock + told(members));
		}
		if (isTooFar(storeTime - median)) {
			logger.warn("Correct the clock of the store: {}, but {}", storeClock, others);
		}
	}

	// What the clocks of live members show when the store's is read, by their labels.
	private Map<String, Long> members(List<LeaseRegister> registers, long storeTime) {
		long recent = storeTime - this.settings.reportInterval().multipliedBy(RECENT_INTERVALS).toMillis();
		// a process with several lanes, or one that was killed and started again, has
		// several registers and one clock
		Map<String, LeaseRegister> latest = new TreeMap<>();
		registers.stream()
			.filter((register) -> !register.lease().isReleased() && register.storedAt() != null
					&& register.storedAt() >= recent)
			.sorted(Comparator.comparing((register) -> Objects.requireNonNull(register.storedAt())))
			.forEach((register) -> latest.put(register.lease().host(), register));
		List<LeaseRegister> drawn = new ArrayList<>(latest.values());
		Collections.shuffle(drawn, new Random(this.random.nextLong()));
		Map<String, Long> members = new TreeMap<>();
		drawn.stream()
			.limit(MAX_MEMBERS)
			.forEach((register) -> members.put(register.lease().host(),
					storeTime + register.lease().reported() - Objects.requireNonNull(register.storedAt())));
		return members;
	}

	private static long median(Collection<Long> members) {
		List<Long> clocks = members.stream().sorted().toList();
		long lower = clocks.get((clocks.size() - 1) / 2);
		return lower + (clocks.get(clocks.size() / 2) - lower) / 2;
	}

	/**
	 * Checks the clock against the last timestamp that may have been used.
	 * @throws ClockDriftException if it is behind by more than the allowed drift
	 */
	void checkRemembered(long used) {
		long own = this.clock.wallMillis();
		if (used > own && isTooFar(used - own)) {
			throw drift(own, "%s used timestamps before its restart up to %s".formatted(this.settings.host(),
					Instant.ofEpochMilli(used)), used, "Correct this machine's clock (NTP)");
		}
	}

	private boolean isTooFar(long difference) {
		return Math.abs(difference) > this.settings.maxDrift().toMillis();
	}

	private ClockDriftException drift(long own, String others, long other, String advice) {
		return new ClockDriftException(
				"The clock of this machine shows %s, but %s: they are %s apart. %s. To start all the same, set leaf.snowflake.clock.max-drift (%s) above the difference"
					.formatted(Instant.ofEpochMilli(own), others,
							DurationText.of(Duration.ofMillis(Math.abs(own - other))), advice,
							DurationText.of(this.settings.maxDrift())));
	}

	private static String told(Map<String, Long> members) {
		return members.isEmpty() ? ""
				: members.entrySet()
					.stream()
					.map((member) -> "%s shows %s".formatted(member.getKey(), Instant.ofEpochMilli(member.getValue())))
					.collect(Collectors.joining(", ", ". Of the live members, ", ""));
	}

}
