// SPDX-License-Identifier: Apache-2.0

package io.leaf.segment;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.leaf.SegmentUnavailableException;
import io.leaf.segment.SegmentStore.Raises;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests keys with periods: the numbers of each day begin at 1.
 */
class PeriodTests {

	private static final Instant EVENING = Instant.parse("2026-11-22T15:59:00Z");

	private final SegmentFixture fixture = new SegmentFixture().acquireTimeout(Duration.ofSeconds(20));

	private final long startNanos = this.fixture.scheduler.nanoTime();

	/**
	 * How far the clock of the store is ahead of the time that has passed.
	 */
	private Duration storeOffset = Duration.ZERO;

	/**
	 * How far the wall clock of this process is ahead of the time that has passed.
	 */
	private Duration wallOffset = Duration.ofDays(-400);

	private Instant time(Duration offset) {
		return EVENING.plusNanos(this.fixture.scheduler.nanoTime() - this.startNanos).plus(offset);
	}

	private void start(@Nullable Ordering ordering, int digits, long maxId) {
		KeyPeriod period = new KeyPeriod(PeriodUnit.DAY, ZoneId.of("Asia/Shanghai"), digits, Duration.ofSeconds(10));
		this.fixture.store.put("invoice", maxId, 5);
		this.fixture.store.clock(() -> time(this.storeOffset));
		SegmentSettings settings = this.fixture.settings.toBuilder()
			.prefetchAt(0.9)
			.ordering(Ordering.STRIPED)
			.keys(Map.of("invoice", new KeySettings(1, ordering, period)))
			.aboveExistingIds(false)
			.build();
		this.fixture.generator = new SegmentIdGenerator(this.fixture.store, settings,
				new SegmentEnvironment(this.fixture.scheduler, () -> time(this.wallOffset),
						this.fixture.scheduler::nanoTime, (latch, nanos) -> latch.await(nanos, TimeUnit.NANOSECONDS),
						new Random(1)));
		this.fixture.run(() -> {
			this.fixture.generator.start();
			return null;
		});
	}

	private long nextId() {
		return this.fixture.nextId("invoice");
	}

	private void advance(Duration duration) {
		this.fixture.scheduler.advance(duration);
	}

	@ParameterizedTest
	@EnumSource(names = { "GLOBAL", "STRICT" })
	void numbersBeginAt1EveryDay(Ordering ordering) {
		start(ordering, 6, 1);
		assertThat(nextId()).isEqualTo(20261122000001L);
		assertThat(nextId()).isEqualTo(20261122000002L);
		advance(Duration.ofSeconds(59));
		assertThat(nextId()).isEqualTo(20261122000003L);
		advance(Duration.ofSeconds(1));
		assertThat(nextId()).isEqualTo(20261123000001L);
		advance(Duration.ofDays(2));
		assertThat(this.fixture.nextIds("invoice", 3)).containsExactly(20261125000001L, 20261125000002L,
				20261125000003L);
		assertThat(this.fixture.status("invoice").numbers().issued()).isEqualTo(7);
	}

	@Test
	void globalOrderIsTheDefault() {
		start(null, 6, 1);
		nextId();
		assertThat(this.fixture.status("invoice").ordering()).isEqualTo(Ordering.GLOBAL);
	}

	@Test
	void stripedOrderIsRefused() {
		KeyPeriod period = new KeyPeriod(PeriodUnit.DAY, ZoneId.of("UTC"), 6, Duration.ZERO);
		assertThatIllegalArgumentException().isThrownBy(() -> new KeySettings(1, Ordering.STRIPED, period));
	}

	@ParameterizedTest
	@CsvSource({ "GLOBAL, 1", "GLOBAL, -1", "STRICT, 1", "STRICT, -1" })
	void clockOfTheProcessDoesNotDetermineThePeriod(Ordering ordering, int days) {
		start(ordering, 6, 1);
		nextId();
		this.wallOffset = this.wallOffset.plusDays(days);
		assertThat(nextId()).isBetween(20261122000002L, 20261122000006L);
		this.storeOffset = Duration.ofMinutes(1);
		advance(Duration.ofDays(1));
		assertThat(nextId()).isEqualTo(20261124000001L);
	}

	@ParameterizedTest
	@EnumSource(names = { "GLOBAL", "STRICT" })
	void machineThatSleptOverMidnightUsesTheNewPeriod(Ordering ordering) {
		start(ordering, 6, 1);
		nextId();
		// the monotonic clock stood still
		this.wallOffset = this.wallOffset.plusHours(8);
		this.storeOffset = Duration.ofHours(8);
		assertThat(nextId()).isEqualTo(20261123000001L);
	}

	@Test
	void machineThatSleepsADayAfterItsWallClockWasSetBackUsesTheNewPeriod() {
		start(Ordering.STRICT, 6, 1);
		nextId();
		this.wallOffset = this.wallOffset.minusHours(1);
		advance(Duration.ofMinutes(1));
		assertThat(nextId()).isEqualTo(20261123000001L);
		// the monotonic clock stood still
		this.wallOffset = this.wallOffset.plusHours(24);
		this.storeOffset = Duration.ofHours(24);
		assertThat(nextId()).isEqualTo(20261124000001L);
	}

	@Test
	void periodBeginsByTheClockOfTheStoreIfItIsBehindTheEstimate() {
		start(Ordering.GLOBAL, 6, 1);
		nextId();
		this.storeOffset = Duration.ofSeconds(-30);
		advance(Duration.ofSeconds(75));
		assertThat(nextId()).isEqualTo(20261122000002L);
		advance(Duration.ofSeconds(15));
		assertThat(nextId()).isEqualTo(20261123000001L);
	}

	@Test
	void segmentAcrossMidnightIsDropped() {
		start(Ordering.STRICT, 6, 1);
		nextId();
		advance(Duration.ofSeconds(61));
		long[] ids = this.fixture.nextIds("invoice", 7);
		assertThat(ids).containsExactly(20261123000001L, 20261123000002L, 20261123000003L, 20261123000004L,
				20261123000005L, 20261123000006L, 20261123000007L);
		assertThat(this.fixture.status("invoice").numbers().lost()).isEqualTo(4);
	}

	@Test
	void asynchronousCallGetsNoNumberOfAPeriodThatHasEnded() {
		start(Ordering.STRICT, 6, 1);
		nextId();
		advance(Duration.ofSeconds(61));
		CompletableFuture<Long> id = this.fixture.generator.sequence("invoice").nextIdAsync().toCompletableFuture();
		SegmentFixture.await().until(() -> {
			this.fixture.scheduler.run();
			return id.isDone();
		});
		assertThat(id).isCompletedWithValue(20261123000001L);
	}

	@Test
	void counterAheadOfTheClockIsFollowed() {
		start(Ordering.GLOBAL, 6, 1);
		advance(Duration.ofMinutes(1));
		assertThat(nextId()).isEqualTo(20261123000001L);
		// the database has failed over to a server whose clock is behind
		this.storeOffset = Duration.ofSeconds(-9);
		assertThat(nextId()).isEqualTo(20261123000002L);
		advance(Duration.ofSeconds(20));
		assertThat(nextId()).isEqualTo(20261123000003L);
	}

	@Test
	void counterFurtherAheadIsRefused() {
		start(Ordering.GLOBAL, 6, 1);
		advance(Duration.ofMinutes(1));
		nextId();
		this.storeOffset = Duration.ofSeconds(-11);
		assertThatExceptionOfType(SegmentUnavailableException.class).isThrownBy(this::nextId)
			.withMessageContaining("'invoice'")
			.withMessageContaining("period 20261123, which begins at 2026-11-22T16:00:00Z")
			.withMessageContaining("shows 2026-11-22T15:59:49Z")
			.withMessageContaining("leaf.segment.max-drift (10 s)");
		advance(Duration.ofSeconds(1));
		assertThat(nextId()).isEqualTo(20261123000002L);
	}

	@Test
	void lostCommitsAtMidnightRepeatNoNumber() {
		start(Ordering.GLOBAL, 6, 1);
		nextId();
		advance(Duration.ofMinutes(1));
		assertThat(nextId()).isEqualTo(20261123000001L);
		// the new primary server lacks the last allocations, and its clock is behind
		this.fixture.store.put("invoice", 20261122000002L, 5);
		this.storeOffset = Duration.ofSeconds(-5);
		assertThat(nextId()).isEqualTo(20261123000002L);
		assertThat(nextId()).isEqualTo(20261123000003L);
	}

	@ParameterizedTest
	@EnumSource(names = { "GLOBAL", "STRICT" })
	void periodWhoseFirstNumbersAFailoverMayHaveLostBeginsAboveTheGap(Ordering ordering) {
		start(ordering, 3, 1);
		nextId();
		// another process had allocated numbers of the next period on the former server,
		// whose clock was ahead
		this.fixture.store.put("invoice", 20261122106L, 5);
		this.fixture.store.raised(new Raises(100, 1, List.of(time(Duration.ofSeconds(55)))));
		advance(Duration.ofMinutes(1));
		assertThat(nextId()).isEqualTo(20261123101L);
		advance(Duration.ofDays(1));
		assertThat(nextId()).isEqualTo(20261124001L);
		this.fixture.store.raised(new Raises(100, 3, List.of(time(Duration.ZERO), time(Duration.ZERO))));
		advance(Duration.ofDays(1));
		assertThat(nextId()).isEqualTo(20261125001L);
	}

	@Test
	void keyWhoseRowAFailoverHasRaisedBeforeItsFirstNumberBeginsAtOne() {
		this.fixture.store
			.raised(new Raises(10_000, 2, List.of(time(Duration.ofHours(-30)), time(Duration.ofHours(-40)))));
		start(Ordering.GLOBAL, 5, 20_001);
		assertThat(nextId()).isEqualTo(2026112200001L);
		assertThat(nextId()).isEqualTo(2026112200002L);
	}

	@Test
	void rowThatIsHigherThanFailoversHaveRaisedItFailsStartup() {
		this.fixture.store.raised(new Raises(10_000, 2, List.of()));
		assertThatExceptionOfType(SegmentStoreException.class).isThrownBy(() -> start(null, 5, 20_002))
			.withMessageContaining("use a new key");
	}

	@Test
	void periodWithMoreFailoversThanItsNumbersAllowIsUsedUp() {
		start(Ordering.GLOBAL, 3, 1);
		this.fixture.store.raised(new Raises(100, 10, List.of(time(Duration.ZERO))));
		assertThatExceptionOfType(SegmentUnavailableException.class).isThrownBy(this::nextId)
			.withMessageContaining(
					"All 999 numbers of period 20261122 of key 'invoice' have been allocated, or skipped after failovers (leaf.segment.failover-gap). The next period begins at 2026-11-23T00:00+08:00");
		advance(Duration.ofMinutes(1));
		assertThat(nextId()).isEqualTo(20261123001L);
	}

	@ParameterizedTest
	@EnumSource(names = { "GLOBAL", "STRICT" })
	void lastNumberOfAPeriodIsFollowedByAFailure(Ordering ordering) {
		start(ordering, 1, 1);
		for (int i = 1; i <= 9; i++) {
			assertThat(nextId()).isEqualTo(202611220L + i);
		}
		assertThatExceptionOfType(SegmentUnavailableException.class).isThrownBy(this::nextId)
			.withMessageContaining("All 9 numbers of period 20261122 of key 'invoice' have been allocated")
			.withMessageContaining("begins at 2026-11-23T00:00+08:00[Asia/Shanghai]");
		// a key with a buffer keeps failing until its next attempt
		advance(Duration.ofSeconds(61));
		assertThat(nextId()).isEqualTo(202611231);
	}

	@Test
	void refusalOfAPeriodThatHasEndedDoesNotFailCalls() {
		this.fixture.acquireTimeout(Duration.ofSeconds(10));
		start(Ordering.STRICT, 1, 1);
		for (int i = 1; i <= 9; i++) {
			nextId();
		}
		assertThatExceptionOfType(SegmentUnavailableException.class).isThrownBy(this::nextId);
		advance(Duration.ofMinutes(1));
		CompletableFuture<Long> call = this.fixture.begin(() -> this.fixture.generator.nextId("invoice"));
		SegmentFixture.await().until(() -> {
			advance(Duration.ofMillis(10));
			return call.isDone();
		});
		assertThat(SegmentFixture.end(call)).isEqualTo(202611231);
	}

	@Test
	void callThatNeedsMoreThanIsLeftFails() {
		start(Ordering.GLOBAL, 1, 1);
		this.fixture.nextIds("invoice", 7);
		assertThatExceptionOfType(SegmentUnavailableException.class)
			.isThrownBy(() -> this.fixture.nextIds("invoice", 3))
			.withMessageContaining("All 9 numbers of period 20261122");
		assertThat(this.fixture.status("invoice").numbers()).isEqualTo(new SegmentStatus.Numbers(7, 0, 2));
	}

	@ParameterizedTest
	@CsvSource({ "20261122000042, 20261122000042", "20261030000042, 20261122000001", "0, 20261122000001" })
	void rowOfTheKeyIsContinued(long maxId, long first) {
		start(Ordering.GLOBAL, 6, maxId);
		assertThat(nextId()).isEqualTo(first);
	}

	@ParameterizedTest
	@CsvSource({ "1001, 6", "20261122000042, 5", "20261122000042, 7", "202611000042, 6" })
	void rowThatContradictsThePeriodFailsStartup(long maxId, int digits) {
		assertThatExceptionOfType(SegmentStoreException.class).isThrownBy(() -> start(null, digits, maxId))
			.withMessageContaining("The counter of key 'invoice' is " + maxId)
			.withMessageContaining("period day with " + digits + " digits")
			.withMessageContaining("use a new key");
	}

	@ParameterizedTest
	@CsvSource({ "2026-11-30T15:59:00Z, 202611314001, 20261130, 202612010001",
			"2026-12-31T15:59:00Z, 202612329999, 20261231, 202701010001" })
	void counterRaisedBeyondTheLastDayOfAMonthUsesUpThePeriod(Instant evening, long raised, long period, long first) {
		this.storeOffset = Duration.between(EVENING, evening);
		start(Ordering.GLOBAL, 4, raised);
		assertThatExceptionOfType(SegmentUnavailableException.class).isThrownBy(this::nextId)
			.withMessageContaining("All 9999 numbers of period %d ".formatted(period));
		advance(Duration.ofMinutes(1));
		assertThat(nextId()).isEqualTo(first);
	}

	@Test
	void rowOfAZoneAheadFailsStartup() {
		assertThatExceptionOfType(SegmentStoreException.class).isThrownBy(() -> start(null, 6, 20261123000005L))
			.withMessageContaining("2026-11-22T16:00:00Z")
			.withMessageContaining("2026-11-22T15:59:00Z")
			.withMessageContaining("period-zone");
	}

	@Test
	void idsOfAnAddedRowContainThePeriod() {
		KeyPeriod period = new KeyPeriod(PeriodUnit.DAY, ZoneId.of("UTC"), 6, Duration.ofSeconds(10));
		this.fixture.settings = this.fixture.settings.toBuilder()
			.acquireTimeout(Duration.ofSeconds(10))
			.keys(Map.of("invoice", new KeySettings(1, null, period)))
			.aboveExistingIds(false)
			.build();
		this.fixture.start(false, true, 100);
		assertThat(nextId()).isEqualTo(20261121000001L);
	}

	@Test
	void statusShowsThePeriod() {
		start(Ordering.GLOBAL, 2, 2026112242);
		assertThat(this.fixture.status("invoice").period()).isNull();
		nextId();
		assertThat(this.fixture.status("invoice").period())
			.isEqualTo(new SegmentStatus.PeriodStatus(20261122, 42, 99, Instant.parse("2026-11-22T16:00:00Z")));
		advance(Duration.ofMinutes(1));
		assertThat(this.fixture.status("invoice").period()).isNull();
	}

}
