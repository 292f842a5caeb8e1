// SPDX-License-Identifier: Apache-2.0

package io.leaf.snowflake;

import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Set;
import java.util.function.LongPredicate;
import java.util.stream.LongStream;

import io.leaf.IdGenerationException;
import io.leaf.IdGenerator;
import io.leaf.IdGeneratorContract;
import io.leaf.IdSequence;
import io.leaf.InvalidRequestException;
import io.leaf.WorkerIdUnavailableException;
import io.leaf.snowflake.SnowflakeLayout.Unit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link SnowflakeIdGenerator} with its lanes and manual clocks.
 */
class SnowflakeIdGeneratorTests {

	private final SnowflakeFixture fixture = new SnowflakeFixture(SnowflakeLayout.LEAF);

	@Test
	void anIdHoldsTimeWorkerIdAndSequence() {
		this.fixture.open();
		SnowflakeId id = this.fixture.decode(this.fixture.next());
		assertThat(id.timestamp()).isEqualTo(ManualTime.START);
		assertThat(id.workerId()).isEqualTo(SnowflakeFixture.WORKER);
		assertThat(id.sequence()).isBetween(0L, 99L);
	}

	@Test
	void theGeneratorsLayoutDecodesItsIds() {
		this.fixture.open();
		assertThat(this.fixture.generator.layout().decode(this.fixture.next()).timestamp()).isEqualTo(ManualTime.START);
	}

	@Test
	void withinATickIdsAreConsecutive() {
		this.fixture.open();
		long first = this.fixture.next();
		assertThat(this.fixture.next()).isEqualTo(first + 1);
		assertThat(this.fixture.generator.nextIds("order", 3)).containsExactly(first + 2, first + 3, first + 4);
	}

	@Test
	void freshTicksBeginAtARandomSequenceSoThatLowTrafficIsNotAllEven() {
		this.fixture.open();
		Set<Long> starts = new HashSet<>();
		for (int i = 0; i < 10_000; i++) {
			starts.add(this.fixture.decode(this.fixture.next()).sequence());
			this.fixture.scheduler.tick(Duration.ofMillis(1));
		}
		assertThat(starts).hasSize(100).allSatisfy((start) -> assertThat(start).isBetween(0L, 99L));
	}

	@Test
	void aLayoutOfFewSequenceBitsSkipsNoMoreThanAQuarterOfATick() {
		SnowflakeFixture small = new SnowflakeFixture(SnowflakeLayout.JS_SAFE);
		small.open();
		Set<Long> starts = new HashSet<>();
		for (int i = 0; i < 1_000; i++) {
			starts.add(small.decode(small.next()).sequence());
			small.scheduler.tick(Duration.ofMillis(1));
		}
		assertThat(starts).hasSize(17).allSatisfy((start) -> assertThat(start).isBetween(0L, 16L));
	}

	@ParameterizedTest
	@ValueSource(ints = { 0, 1 })
	void aLayoutWithoutASequenceWorks(int sequenceBits) {
		SnowflakeFixture tiny = new SnowflakeFixture(
				new SnowflakeLayout(41, 10, sequenceBits, Unit.MILLISECONDS, SnowflakeLayout.LEAF.epoch()));
		tiny.open();
		long[] ids = tiny.generator.nextIds("order", 500);
		assertThat(LongStream.of(ids).distinct().count()).isEqualTo(500);
		assertThat(ids).isSorted();
	}

	@Test
	void anOverflowingSequenceCarriesIntoTheNextTick() {
		this.fixture.open();
		long last = this.fixture.next();
		for (int i = 0; i < 3 * 4096; i++) {
			long id = this.fixture.next();
			assertThat(id).isGreaterThan(last);
			last = id;
		}
		assertThat(this.fixture.parkedNanos).isZero();
		assertThat(this.fixture.decode(last).timestamp()).isEqualTo(ManualTime.START.plusMillis(3));
		assertThat(this.fixture.lanes.leadMillis()).isEqualTo(3);
	}

	@Test
	void timestampsLeadTheClockByNoMoreThanTheMaximum() {
		this.fixture.open();
		for (int i = 0; i < 300 * 4096; i++) {
			Instant timestamp = this.fixture.decode(this.fixture.next()).timestamp();
			if (timestamp.toEpochMilli() > this.fixture.clock.millis() + 100) {
				throw new AssertionError(timestamp + " at " + Instant.ofEpochMilli(this.fixture.clock.millis()));
			}
		}
		// 300 ticks were issued; 100 of them and the first one ran ahead of the clock
		assertThat(this.fixture.parkedNanos).isBetween(198_000_000L, 200_000_000L);
	}

	@Test
	void underLoadNoSequenceNumberOfATickIsSkipped() {
		this.fixture.open();
		long first = this.fixture.next();
		long last = 0;
		for (int i = 0; i < 1000 * 4096; i++) {
			last = this.fixture.next();
		}
		assertThat(Duration.between(this.fixture.decode(first).timestamp(), this.fixture.decode(last).timestamp()))
			.isLessThanOrEqualTo(Duration.ofMillis(1000));
	}

	@ParameterizedTest
	@ValueSource(strings = { "PT1S", "PT1H", "P1D" })
	void aClockThatStepsBackCausesNoExceptionNoWaitAndNoDuplicate(Duration step) {
		this.fixture.lanes.add(SnowflakeFixture.WORKER, 0, this.fixture.now() + 48 * SnowflakeFixture.HOUR);
		long last = this.fixture.next();
		this.fixture.wall.step(step.negated());
		for (int i = 0; i < 20_000; i++) {
			long id = this.fixture.next();
			assertThat(id).isGreaterThan(last);
			last = id;
			this.fixture.scheduler.tick(Duration.ofMillis(7));
			if (i % 143 == 0) {
				this.fixture.clock.follow();
			}
		}
		assertThat(this.fixture.parkedNanos).isZero();
	}

	@Test
	void aMonotonicClockThatStandsStillDelaysNoCallerWithinTheLead() {
		this.fixture.open();
		LongPredicate distinct = new HashSet<Long>()::add;
		for (int i = 0; i < 100 * 4096; i++) {
			assertThat(distinct.test(this.fixture.next())).isTrue();
		}
	}

	@Test
	void nothingIsIssuedBeyondTheHorizon() {
		long horizon = this.fixture.now() + 1;
		this.fixture.lanes.add(SnowflakeFixture.WORKER, 0, horizon);
		long last = 0;
		IdGenerationException failure = null;
		while (failure == null) {
			try {
				last = this.fixture.next();
			}
			catch (IdGenerationException ex) {
				failure = ex;
			}
		}
		assertThat(this.fixture.decode(last)).isEqualTo(new SnowflakeId(Instant.ofEpochMilli(horizon), 5, 4095));
		assertThat(failure).isInstanceOf(WorkerIdUnavailableException.class)
			.hasMessageContainingAll("worker ID 5", Instant.ofEpochMilli(horizon).toString(), "(2 s)");
		assertThat(this.fixture.parkedNanos).isEqualTo(2_000_000_000L);
	}

	@Test
	void aCallerThatWaitsForTheHorizonContinuesWhenItIsExtended() {
		SnowflakeLane lane = this.fixture.lanes.add(SnowflakeFixture.WORKER, 0, this.fixture.now() - 1);
		this.fixture.whileParked = () -> {
			lane.extend(this.fixture.now() + 60_000);
			this.fixture.lanes.wakeUp();
		};
		assertThat(this.fixture.decode(this.fixture.next()).workerId()).isEqualTo(5);
	}

	@Test
	void theExceptionStatesWhyTheLeaseWasNotRenewed() {
		this.fixture.lanes.add(SnowflakeFixture.WORKER, 0, this.fixture.now() - 1);
		IllegalStateException failure = new IllegalStateException("no quorum");
		this.fixture.lanes.failure(failure);
		assertThatExceptionOfType(WorkerIdUnavailableException.class).isThrownBy(this.fixture::next)
			.withMessageContaining("no quorum")
			.withCause(failure);
	}

	@Test
	void beforeTheFirstLaneCallersWait() {
		this.fixture.whileParked = this.fixture::open;
		assertThat(this.fixture.decode(this.fixture.next()).workerId()).isEqualTo(5);
		assertThatExceptionOfType(WorkerIdUnavailableException.class)
			.isThrownBy(new SnowflakeFixture(SnowflakeLayout.LEAF)::next)
			.withMessageContaining("holds no worker ID");
	}

	@Test
	void aLaneStartsAboveTheTimestampsThatOthersHaveUsed() {
		long used = this.fixture.now() + 50;
		this.fixture.lanes.add(SnowflakeFixture.WORKER, used, used + 60_000);
		assertThat(this.fixture.decode(this.fixture.next()).timestamp()).isEqualTo(Instant.ofEpochMilli(used + 1));
	}

	@Test
	void aLaneThatReplacesAnotherContinuesAboveIt() {
		SnowflakeLane old = this.fixture.lanes.add(1000, 0, this.fixture.now() + 60_000);
		this.fixture.generator.nextIds("order", 5000);
		long last = this.fixture.next();
		this.fixture.lanes.replace(old, 2, 0, this.fixture.now() + 60_000);
		long next = this.fixture.next();
		assertThat(next).isGreaterThan(last);
		assertThat(this.fixture.decode(next).workerId()).isEqualTo(2);
		assertThat(old.lastUsed()).isEqualTo(this.fixture.decode(last).timestamp().toEpochMilli());
	}

	@Test
	void aSealedLaneIssuesNothing() {
		SnowflakeLane lane = this.fixture.open();
		this.fixture.next();
		lane.seal();
		assertThat(lane.tryNext(this.fixture.now() + 1)).isEqualTo(SnowflakeLane.NONE);
		assertThat(lane.tryNext(this.fixture.now() + 1, new long[4], 0)).isZero();
		lane.extend(this.fixture.now() + 2 * SnowflakeFixture.HOUR);
		assertThat(lane.tryNext(this.fixture.now() + 1)).isEqualTo(SnowflakeLane.NONE);
	}

	@Test
	void afterStopCallersGetAnExceptionAtOnce() {
		this.fixture.open();
		this.fixture.lanes.stop();
		assertThatExceptionOfType(IdGenerationException.class).isThrownBy(this.fixture::next)
			.withMessageContaining("closed");
		assertThat(this.fixture.parkedNanos).isZero();
	}

	@Test
	void anExhaustedLayoutIsReportedAndIssuesNoNegativeNumber() {
		Instant epoch = ManualTime.START.minusMillis(1020);
		SnowflakeFixture ending = new SnowflakeFixture(new SnowflakeLayout(10, 22, 31, Unit.MILLISECONDS, epoch));
		ending.lanes.add(4_194_303, 0, ending.now() + SnowflakeFixture.HOUR);
		ending.scheduler.tick(Duration.ofMillis(3));
		assertThat(ending.next()).isPositive();
		ending.scheduler.tick(Duration.ofMillis(1));
		assertThatExceptionOfType(IdGenerationException.class).isThrownBy(ending::next)
			.withMessageContainingAll("ran out", "timestamp-bits");
		ending.scheduler.tick(Duration.ofDays(400));
		assertThatExceptionOfType(IdGenerationException.class).isThrownBy(ending::next);
	}

	@Test
	void theLastTicksOfALayoutAreIssuedToTheEndAndNoFurther() {
		Instant epoch = ManualTime.START.minusMillis(1020);
		SnowflakeFixture ending = new SnowflakeFixture(new SnowflakeLayout(10, 2, 2, Unit.MILLISECONDS, epoch));
		ending.lanes.add(3, 0, ending.now() + SnowflakeFixture.HOUR);
		long last = 0;
		IdGenerationException failure = null;
		while (failure == null) {
			try {
				last = ending.next();
			}
			catch (IdGenerationException ex) {
				failure = ex;
			}
		}
		assertThat(last).isEqualTo((1 << 14) - 1);
		assertThat(failure).hasMessageContaining("ran out");
	}

	@Test
	void aLayoutInSecondsIssuesTicksOfASecond() {
		SnowflakeFixture baidu = new SnowflakeFixture(SnowflakeLayout.BAIDU);
		baidu.open();
		long[] ids = baidu.generator.nextIds("order", 10_000);
		assertThat(ids).isSorted().doesNotHaveDuplicates();
		assertThat(baidu.decode(ids[0]).timestamp()).isEqualTo(ManualTime.START);
		assertThat(baidu.decode(ids[9_999]).timestamp()).isEqualTo(ManualTime.START.plusSeconds(1));
		// the lead of 100 milliseconds lets the next second begin 100 milliseconds
		// earlier
		assertThat(baidu.clock.millis()).isEqualTo(ManualTime.START.plusMillis(900).toEpochMilli());
	}

	@Test
	void aBatchLargerThanTheLeadWaitsForTheClock() {
		this.fixture.open();
		long[] ids = this.fixture.generator.nextIds("order", 1_000_000);
		assertThat(LongStream.of(ids).distinct().count()).isEqualTo(1_000_000);
		assertThat(this.fixture.parkedNanos).isPositive();
	}

	@Test
	void aBatchThatTheLayoutCannotIssueInTimeIsRefusedAtOnce() {
		SnowflakeFixture small = new SnowflakeFixture(SnowflakeLayout.JS_SAFE);
		small.open();
		assertThatExceptionOfType(InvalidRequestException.class)
			.isThrownBy(() -> small.generator.nextIds("order", 1_000_000))
			.withMessageContainingAll("1000000", "128000", "leaf.snowflake.acquire-timeout");
		assertThat(small.generator.nextIds("order", 128_000)).hasSize(128_000);
	}

	@Test
	void moreThanTheLayoutAllowsIsReportedAfterTheTimeout() {
		GeneratorClock stopped = new GeneratorClock(() -> ManualTime.START, () -> 0, Duration.ofSeconds(10));
		SnowflakeLanes lanes = new SnowflakeLanes(this.fixture.settings, stopped,
				new SnowflakeEnvironment(this.fixture.scheduler::nanoTime,
						(nanos) -> this.fixture.scheduler.tick(Duration.ofNanos(nanos)), () -> 7));
		lanes.add(1, 0, stopped.millis() + SnowflakeFixture.HOUR);
		lanes.next(100 * 4096);
		assertThatExceptionOfType(IdGenerationException.class).isThrownBy(() -> lanes.next(2 * 4096))
			.withMessageContainingAll("leaf.snowflake.max-lanes", "4096000");
	}

	@Test
	void anInterruptedCallerThatHasToWaitGetsAnExceptionAndStaysInterrupted() {
		Thread.currentThread().interrupt();
		try {
			assertThatExceptionOfType(IdGenerationException.class).isThrownBy(this.fixture::next)
				.withMessageContaining("interrupted");
		}
		finally {
			assertThat(Thread.interrupted()).isTrue();
		}
	}

	@Test
	void keysAndCountsAreCheckedAsInSegmentMode() {
		this.fixture.open();
		SnowflakeIdGenerator generator = this.fixture.generator;
		assertThatExceptionOfType(InvalidRequestException.class).isThrownBy(() -> generator.nextId(""));
		assertThatExceptionOfType(InvalidRequestException.class).isThrownBy(() -> generator.sequence("x".repeat(129)));
		assertThatExceptionOfType(InvalidRequestException.class).isThrownBy(() -> generator.nextIds("order", 0));
		assertThatExceptionOfType(InvalidRequestException.class)
			.isThrownBy(() -> generator.sequence("order").nextIds(-1));
	}

	@Test
	void allKeysShareOneSequence() {
		this.fixture.open();
		IdSequence payment = this.fixture.generator.sequence("payment");
		long first = this.fixture.next();
		assertThat(payment.nextId()).isEqualTo(first + 1);
		assertThat(payment.nextIds(2)).containsExactly(first + 2, first + 3);
		assertThat(payment.key()).isEqualTo("payment");
	}

	@Test
	void aCallerStoppedByTheLeadRequestsAnotherLane() {
		this.fixture.open();
		this.fixture.generator.nextIds("order", 100 * 4096);
		assertThat(this.fixture.lanes.takeDemand()).isFalse();
		this.fixture.generator.nextIds("order", 2 * 4096);
		assertThat(this.fixture.lanes.takeDemand()).isTrue();
		assertThat(this.fixture.lanes.takeDemand()).isFalse();
	}

	@Test
	void threadsSpreadOverTheLanes() throws Exception {
		SnowflakeFixture wide = new SnowflakeFixture(SnowflakeLayout.LEAF, 3);
		for (int workerId = 0; workerId < 3; workerId++) {
			wide.lanes.add(workerId, 0, wide.now() + SnowflakeFixture.HOUR);
		}
		Set<Long> workerIds = new HashSet<>();
		for (int i = 0; i < 16; i++) {
			Thread thread = new Thread(() -> workerIds.add(wide.decode(wide.next()).workerId()));
			thread.start();
			thread.join();
		}
		assertThat(workerIds).containsExactlyInAnyOrder(0L, 1L, 2L);
	}

	@Test
	void oneThreadAloneGetsTheIdsOfAllLanes() {
		SnowflakeFixture wide = new SnowflakeFixture(SnowflakeLayout.LEAF, 3);
		for (int workerId = 0; workerId < 3; workerId++) {
			wide.lanes.add(workerId, 0, wide.now() + SnowflakeFixture.HOUR);
		}
		Set<Long> ids = new HashSet<>();
		for (int i = 0; i < 300 * 4096; i++) {
			ids.add(wide.next());
		}
		assertThat(ids).hasSize(300 * 4096);
		assertThat(wide.parkedNanos).isZero();
	}

	@Test
	void aFurtherLaneStartsAboveTheOthers() {
		SnowflakeFixture wide = new SnowflakeFixture(SnowflakeLayout.LEAF, 2);
		wide.lanes.add(7, 0, wide.now() + SnowflakeFixture.HOUR);
		wide.generator.nextIds("order", 40_000);
		long used = wide.lanes.all().get(0).lastUsed();
		assertThat(wide.lanes.add(3, 0, wide.now() + SnowflakeFixture.HOUR).lastUsed()).isEqualTo(used);
	}

	/**
	 * The contract in snowflake mode.
	 */
	@Nested
	class Contract extends IdGeneratorContract {

		private final SnowflakeFixture fixture = new SnowflakeFixture(SnowflakeLayout.LEAF);

		@BeforeEach
		void open() {
			this.fixture.open();
		}

		@Override
		protected IdGenerator generator() {
			return this.fixture.generator;
		}

	}

}
