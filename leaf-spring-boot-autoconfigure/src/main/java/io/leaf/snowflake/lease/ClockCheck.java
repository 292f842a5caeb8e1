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

package io.leaf.snowflake.lease;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalLong;

import io.leaf.ClockDriftException;
import io.leaf.support.DurationText;
import io.leaf.snowflake.GeneratorClock;

/**
 * Compares the wall clock with others' at start: with the last time that this process's
 * label reported, and with the average of the live members. Those are compared by way of
 * the store's clock: each member reported its time in a write of which the store noted
 * when it came.
 */
record ClockCheck(WorkerLeaseStore store, LeaseSettings settings, GeneratorClock clock) {

	private static final String ADVICE = "Correct this machine's clock (NTP). To start all the same, set leaf.snowflake.clock.max-drift (%s) above the difference";

	/**
	 * Checks the clock. Asks the store for its own only where there is a live member to
	 * compare with.
	 * @param registers all registers, as read a moment ago
	 * @throws ClockDriftException if it is off by more than the allowed drift
	 * @throws WorkerLeaseStoreException if the store cannot be reached
	 */
	void check(List<LeaseRegister> registers) {
		checkOwn(registers);
		OptionalDouble average = registers.stream()
			.filter((register) -> register.live() && register.storedAt() != null)
			.mapToLong(ClockCheck::offset)
			.average();
		if (average.isEmpty()) {
			return;
		}
		long before = this.clock.wallMillis();
		OptionalLong storeTime = this.store.currentTime();
		long own = before + (this.clock.wallMillis() - before) / 2;
		if (storeTime.isPresent()) {
			long others = storeTime.getAsLong() + Math.round(average.getAsDouble());
			if (isTooFar(Math.abs(own - others))) {
				throw drift("the average of the live members shows", own, others);
			}
		}
	}

	private void checkOwn(List<LeaseRegister> registers) {
		long own = this.clock.wallMillis();
		OptionalLong reported = registers.stream()
			.filter((register) -> register.lease().host().equals(this.settings.host()))
			.filter((register) -> register.blockedBy() == null)
			.mapToLong((register) -> register.lease().reported())
			.max();
		if (reported.isPresent() && isTooFar(reported.getAsLong() - own)) {
			throw drift("%s reported before its restart".formatted(this.settings.host()), own, reported.getAsLong());
		}
	}

	/**
	 * Checks the clock against the last timestamp that may have been used.
	 * @throws ClockDriftException if it is behind by more than the allowed drift
	 */
	void checkRemembered(long used) {
		long own = this.clock.wallMillis();
		if (isTooFar(used - own)) {
			throw drift("%s used timestamps before its restart up to".formatted(this.settings.host()), own, used);
		}
	}

	private static long offset(LeaseRegister register) {
		Long storedAt = register.storedAt();
		return (storedAt != null) ? register.lease().reported() - storedAt : 0;
	}

	private boolean isTooFar(long difference) {
		return difference > this.settings.maxDrift().toMillis();
	}

	private ClockDriftException drift(String whose, long own, long other) {
		return new ClockDriftException("The clock of this machine shows %s, but %s %s: they are %s apart. %s".formatted(
				Instant.ofEpochMilli(own), whose, Instant.ofEpochMilli(other),
				DurationText.of(Duration.ofMillis(Math.abs(own - other))),
				ADVICE.formatted(DurationText.of(this.settings.maxDrift()))));
	}

}
