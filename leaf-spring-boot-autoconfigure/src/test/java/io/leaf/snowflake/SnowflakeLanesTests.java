// SPDX-License-Identifier: Apache-2.0

package io.leaf.snowflake;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

import io.leaf.IdGenerationException;
import io.leaf.ManualScheduler;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Tests how {@link SnowflakeLanes} wakes callers, counts, and stops.
 */
class SnowflakeLanesTests {

	private static final int CALLERS = 200;

	private static final int WAKE_UPS = 50;

	private final SnowflakeFixture fixture = new SnowflakeFixture(SnowflakeLayout.LEAF);

	@Test
	void wakingUpCallersThatHaveToWaitAgainWakesEachOnce() throws Exception {
		SnowflakeSettings settings = new SnowflakeSettings(SnowflakeLayout.LEAF, Duration.ofMillis(100), 1,
				Duration.ofMinutes(1));
		AtomicInteger parked = new AtomicInteger();
		SnowflakeLanes lanes = new SnowflakeLanes(settings, this.fixture.clock,
				new SnowflakeEnvironment(System::nanoTime, (nanos) -> {
					parked.incrementAndGet();
					LockSupport.parkNanos(nanos);
				}, () -> 7));
		lanes.add(1, 0, this.fixture.now() - 1);
		List<Thread> callers = new ArrayList<>();
		for (int i = 0; i < CALLERS; i++) {
			Thread caller = new Thread(
					() -> assertThatExceptionOfType(IdGenerationException.class).isThrownBy(lanes::next));
			caller.start();
			callers.add(caller);
		}
		await().until(() -> callers.stream().allMatch((caller) -> caller.getState() == Thread.State.TIMED_WAITING));
		int before = parked.get();
		for (int i = 0; i < WAKE_UPS; i++) {
			lanes.wakeUp();
		}
		await().until(() -> callers.stream().allMatch((caller) -> caller.getState() == Thread.State.TIMED_WAITING));
		lanes.stop();
		for (Thread caller : callers) {
			caller.join();
		}
		assertThat(parked.get() - before).isLessThanOrEqualTo(WAKE_UPS * CALLERS);
	}

	@Test
	void aLaneThatReplacesAnAlreadyReplacedLaneIssuesIds() {
		long hour = this.fixture.now() + SnowflakeFixture.HOUR;
		SnowflakeLane old = this.fixture.lanes.add(1, 0, hour);
		SnowflakeLane unknown = this.fixture.lanes.replace(old, 2, 0, this.fixture.now() - 1);
		SnowflakeLane known = this.fixture.lanes.replace(old, 3, 0, hour);
		assertThat(this.fixture.lanes.all()).containsExactly(unknown, known);
		assertThat(SnowflakeLayout.LEAF.decode(this.fixture.next()).workerId()).isEqualTo(3);
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void aCallerWaitsForTheClockIfOneLaneWaitsForNothingElse(boolean inOrder) {
		SnowflakeFixture fixture = new SnowflakeFixture(SnowflakeLayout.LEAF, 2);
		long withoutLease = fixture.now() - 1;
		long leased = fixture.now() + SnowflakeFixture.HOUR;
		fixture.lanes.add(1, 0, inOrder ? withoutLease : leased);
		fixture.lanes.add(2, 0, inOrder ? leased : withoutLease);
		while (fixture.parkedNanos == 0) {
			fixture.next();
		}
		assertThat(Duration.ofNanos(fixture.parkedNanos)).isLessThanOrEqualTo(Duration.ofMillis(2));
	}

	@Test
	void aCallerThatWaitsForTheKeeperThenTheClockThenTheKeeperIsWoken() {
		ManualScheduler time = this.fixture.scheduler;
		long start = this.fixture.now();
		SnowflakeLane[] lane = new SnowflakeLane[1];
		SnowflakeLanes[] lanes = new SnowflakeLanes[1];
		AtomicInteger looks = new AtomicInteger();
		AtomicInteger parks = new AtomicInteger();
		Duration[] waited = new Duration[1];
		LongSupplier nanoTime = () -> {
			if (looks.incrementAndGet() == 1) {
				// the keeper extends the lease before the caller has entered the queue
				lane[0].extend(start + 101);
			}
			else if (looks.get() == 2) {
				lanes[0].wakeUp();
			}
			return time.nanoTime();
		};
		LongConsumer park = (nanos) -> {
			if (parks.incrementAndGet() == 1) {
				LockSupport.parkNanos(nanos);
				time.tick(Duration.ofMillis(1));
				// other callers use the numbers that the clock has released
				lane[0].tryNext(this.fixture.clock.millis(), new long[8192], 0);
			}
			else {
				lane[0].extend(start + 60_000);
				lanes[0].wakeUp();
				time.tick(Duration.ofMillis(1));
				long before = System.nanoTime();
				LockSupport.parkNanos(Duration.ofSeconds(3).toNanos());
				waited[0] = Duration.ofNanos(System.nanoTime() - before);
			}
		};
		lanes[0] = new SnowflakeLanes(this.fixture.settings, this.fixture.clock,
				new SnowflakeEnvironment(nanoTime, park, () -> 7));
		lane[0] = lanes[0].add(1, 0, start + 100);
		lane[0].tryNext(start, new long[1_000_000], 0);
		assertThat(lanes[0].next()).isPositive();
		assertThat(parks).hasValue(2);
		assertThat(waited[0]).isLessThan(Duration.ofSeconds(2));
	}

	@Test
	void issuedIdsAreCounted() {
		this.fixture.open();
		for (int i = 0; i < 5; i++) {
			this.fixture.next();
			this.fixture.scheduler.advance(Duration.ofMillis(i));
		}
		this.fixture.generator.nextIds("order", 5000);
		assertThat(this.fixture.lanes.issued()).isEqualTo(5005);
		this.fixture.scheduler.advance(Duration.ofHours(2));
		assertThat(this.fixture.lanes.issued()).isEqualTo(5005);
	}

	@Test
	void issuedIdsAreCountedWhenALaneReplacesAnother() {
		SnowflakeLane first = this.fixture.open();
		this.fixture.generator.nextIds("order", 10);
		SnowflakeLane second = this.fixture.lanes.replace(first, 2, this.fixture.now() + 5,
				this.fixture.now() + SnowflakeFixture.HOUR);
		assertThat(this.fixture.lanes.issued()).isEqualTo(10);
		this.fixture.lanes.add(3, 0, this.fixture.now() + SnowflakeFixture.HOUR);
		this.fixture.generator.nextIds("order", 10_000);
		assertThat(this.fixture.lanes.issued()).isEqualTo(10_010);
		second.seal();
		assertThat(this.fixture.lanes.issued()).isEqualTo(10_010);
	}

	@Test
	void attemptsWithoutAnIdAreNotCounted() {
		SnowflakeLane lane = this.fixture.lanes.add(1, 0, this.fixture.now());
		int issued = this.fixture.lanes.next(100).length;
		long now = this.fixture.now() + 1;
		for (int i = 0; i < 10; i++) {
			assertThat(lane.tryNext(now)).isEqualTo(SnowflakeLane.NONE);
		}
		assertThat(this.fixture.lanes.issued()).isEqualTo(issued);
	}

	@Test
	void waitsAreCountedAndMeasured() {
		this.fixture.open();
		assertThat(this.fixture.lanes.waits()).isZero();
		// more IDs than a tick and the lead contain
		this.fixture.generator.nextIds("order", 500_000);
		assertThat(this.fixture.lanes.waits()).isEqualTo(1);
		assertThat(this.fixture.lanes.waited()).isEqualTo(Duration.ofNanos(this.fixture.parkedNanos)).isPositive();
	}

	@Test
	void aLaneThatIsAddedAfterStopIssuesNothing() {
		SnowflakeLane old = this.fixture.open();
		this.fixture.next();
		this.fixture.lanes.stop();
		SnowflakeLane late = this.fixture.lanes.replace(old, 2, 0, this.fixture.now() + SnowflakeFixture.HOUR);
		assertThatExceptionOfType(IdGenerationException.class).isThrownBy(this.fixture::next)
			.withMessageContaining("closed");
		assertThat(late.tryNext(this.fixture.now())).isEqualTo(SnowflakeLane.NONE);
	}

}
