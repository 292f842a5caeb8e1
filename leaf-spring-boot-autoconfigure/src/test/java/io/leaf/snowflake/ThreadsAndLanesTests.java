// SPDX-License-Identifier: Apache-2.0

package io.leaf.snowflake;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.LongStream;

import io.leaf.snowflake.SnowflakeLayout.Unit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests how threads find the lanes of {@link SnowflakeLanes}. The lane of a thread
 * depends on its thread ID, so each test lets many threads draw one after the other.
 */
class ThreadsAndLanesTests {

	private static final int THREADS = 16;

	// one number per millisecond: 101 within the lead
	private static final SnowflakeLayout SMALL = new SnowflakeLayout(41, 10, 0, Unit.MILLISECONDS,
			SnowflakeLayout.LEAF.epoch());

	private static SnowflakeFixture lanes(int lanes) {
		SnowflakeFixture fixture = new SnowflakeFixture(SMALL, lanes);
		for (int workerId = 0; workerId < lanes; workerId++) {
			fixture.lanes.add(workerId, 0, fixture.now() + SnowflakeFixture.HOUR);
		}
		return fixture;
	}

	private static void inManyThreads(Runnable action) throws InterruptedException {
		List<Throwable> failures = new ArrayList<>();
		for (int i = 0; i < THREADS; i++) {
			Thread thread = new Thread(action);
			thread.setUncaughtExceptionHandler((failed, ex) -> failures.add(ex));
			thread.start();
			thread.join();
		}
		assertThat(failures).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 2, 3, 4, 5, 8 })
	void everyThreadHasALaneAndEveryLaneAThread(int count) throws Exception {
		SnowflakeFixture fixture = lanes(count);
		List<Long> workerIds = new ArrayList<>();
		inManyThreads(() -> workerIds.add(fixture.decode(fixture.next()).workerId()));
		assertThat(workerIds).hasSize(THREADS)
			.containsAll(LongStream.range(0, count).boxed().toList())
			.allSatisfy((workerId) -> assertThat(workerId).isLessThan(count));
	}

	@Test
	void aBatchUsesAllLanesRegardlessOfTheLaneOfTheThread() throws Exception {
		inManyThreads(() -> {
			SnowflakeFixture fixture = lanes(3);
			assertThat(fixture.generator.nextIds("order", 3 * 101)).doesNotHaveDuplicates().isSorted();
			assertThat(fixture.parkedNanos).isZero();
		});
	}

	@Test
	void aBatchThatOneLaneCanIssueUsesNoOtherLane() throws Exception {
		inManyThreads(() -> {
			SnowflakeFixture fixture = lanes(3);
			fixture.generator.nextIds("order", 5);
			assertThat(fixture.lanes.all()).filteredOn((lane) -> lane.lastUsed() >= fixture.now() - 1).hasSize(1);
		});
	}

	@ParameterizedTest
	@ValueSource(ints = { 0, 1, 2 })
	void aThreadOfAnyLaneWaitsForTheLaneThatWaitsOnlyForTheClock(int leased) throws Exception {
		inManyThreads(() -> {
			SnowflakeFixture fixture = new SnowflakeFixture(SMALL, 3);
			for (int workerId = 0; workerId < 3; workerId++) {
				fixture.lanes.add(workerId, 0, fixture.now() + ((workerId == leased) ? SnowflakeFixture.HOUR : -1));
			}
			fixture.generator.nextIds("order", 101);
			assertThat(fixture.decode(fixture.next()).workerId()).isEqualTo(leased);
			assertThat(fixture.parkedNanos).isEqualTo(1_000_000);
		});
	}

	@Test
	void aThreadThatWaitsForTheFirstLaneIsWokenWhenItIsAdded() throws Exception {
		SnowflakeFixture fixture = new SnowflakeFixture(SMALL);
		SnowflakeSettings settings = new SnowflakeSettings(SMALL, Duration.ofMillis(100), 1, Duration.ofMinutes(10));
		SnowflakeLanes lanes = new SnowflakeLanes(settings, fixture.clock,
				new SnowflakeEnvironment(System::nanoTime, LockSupport::parkNanos, () -> 7));
		List<Long> workerIds = new ArrayList<>();
		Thread caller = new Thread(() -> workerIds.add(fixture.decode(lanes.next()).workerId()));
		caller.setDaemon(true);
		caller.start();
		await().until(() -> caller.getState() == Thread.State.TIMED_WAITING);
		lanes.add(9, 0, fixture.now() + SnowflakeFixture.HOUR);
		await().until(() -> !caller.isAlive());
		assertThat(workerIds).containsExactly(9L);
	}

	@Test
	void eachLaneGetsItsOwnSeed() {
		SnowflakeEnvironment system = SnowflakeEnvironment.system();
		assertThat(system.random().nextLong()).isNotEqualTo(system.random().nextLong());
	}

}
