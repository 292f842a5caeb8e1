// SPDX-License-Identifier: Apache-2.0

package io.leaf.segment.jdbc;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import io.leaf.segment.SegmentStore.Raises;
import io.leaf.segment.jdbc.FailoverGap.Found;
import io.leaf.segment.jdbc.FailoverGap.Primary;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class FailoverGapTests {

	private static final Instant TIME = Instant.parse("2026-11-24T00:00:00Z");

	private final FailoverGap gap = new FailoverGap(1000, () -> 100);

	@Test
	void aRaiseThatAnotherThreadHasSeenMeanwhileIsNotLost() {
		this.gap.follow(new Server("a", record("a", 0, 10)));
		Server lost = new Server("b", record("b", 1, 11));
		Server present = new Server("c", record("c", 1, 12), () -> this.gap.follow(lost));
		this.gap.follow(present);
		assertThat(present.raised).isEqualTo(1000);
		assertThat(this.gap.seen()).isEqualTo(present.row);
	}

	@Test
	void aDelayedRaiseIsRepeatedWithALaterTime() {
		Server server = new Server("b", record("a", 0, 1));
		server.delay = Duration.ofMinutes(2);
		this.gap.follow(server);
		assertThat(server.raised).isEqualTo(1000);
		assertThat(server.row.raisedAt()).singleElement()
			.satisfies((time) -> assertThat(time).isAfterOrEqualTo(TIME.plusSeconds(120)));
	}

	@Test
	void aRaiseThatIsAlwaysSlowTakesEffect() {
		Server server = new Server("b", record("a", 0, 1));
		server.delay = Duration.ofSeconds(50);
		server.delays = 100;
		this.gap.follow(server);
		assertThat(server.raised).isEqualTo(1000);
	}

	@Test
	void fewerRaisesThanWereSeenDoNotReplaceThemIfTheirTimesAreNoLongerKept() {
		PrimaryRecord seen = record("a", 0, 1);
		PrimaryRecord found = record("a", 0, 1);
		for (int i = 0; i < PrimaryRecord.MAX_TIMES + 5; i++) {
			seen = seen.next("b", null, 10, 2 + i, TIME);
			found = (i < PrimaryRecord.MAX_TIMES) ? found.next("c", null, 1000, 200 + i, TIME.plusSeconds(1)) : found;
		}
		this.gap.follow(new Server("b", seen));
		Server server = new Server("c", found);
		this.gap.follow(server);
		assertThat(server.raised).isEqualTo(1000);
	}

	@Test
	void theTimesOfLostRaisesAreKept() {
		Instant first = TIME.minusSeconds(500);
		PrimaryRecord lost = record("a", 0, 1).next("b", null, 10, 2, first)
			.next("c", null, 10, 3, TIME.minusSeconds(100));
		PrimaryRecord found = record("a", 0, 1).next("d", null, 10, 4, TIME.minusSeconds(200));
		PrimaryRecord next = found.next("e", lost, 10, 5, TIME.plusNanos(1));
		assertThat(next.failovers()).isEqualTo(3);
		assertThat(next.raisedAt()).as("raised by two gaps on this server")
			.containsExactly(TIME.plusSeconds(1), TIME.plusSeconds(1), TIME.minusSeconds(200));
		PrimaryRecord other = lost.next("f", found, 10, 6, TIME);
		assertThat(other.raisedAt()).containsExactly(TIME, TIME.minusSeconds(100), first);
		assertThat(PrimaryRecord.of("e", 3, 10, 30, 5, next.times())).isEqualTo(next);
	}

	@Test
	void aRaiseIsNotEarlierThanTheFormerOnesEvenIfTheClockOfTheServerIsBehind() {
		PrimaryRecord seen = record("a", 0, 1).next("b", null, 10, 2, TIME);
		PrimaryRecord next = seen.next("c", seen, 10, 3, TIME.minusSeconds(5))
			.next("d", null, 10, 4, TIME.minusSeconds(2));
		assertThat(next.raisedAt()).containsExactly(TIME, TIME, TIME);
		assertThat(next.isAtLeast(seen)).isTrue();
	}

	@Test
	void aRaiseUnderAClockThatWasFarAheadIsFollowedByNoNeedlessRaises() {
		PrimaryRecord ahead = record("a", 0, 1).next("b", null, 1000, 2, TIME.plusSeconds(1_000_000));
		this.gap.follow(new Server("b", ahead));
		PrimaryRecord later = ahead;
		for (int i = 0; i < 5; i++) {
			later = later.next("c", null, 1000, 3 + i, TIME.plusSeconds(i));
		}
		Server server = new Server("c", later);
		this.gap.follow(server);
		assertThat(server.raised).isZero();
	}

	@Test
	void thereAreNoFewerGapsThanTimes() {
		PrimaryRecord some = record("a", 0, 1);
		for (int i = 0; i < 5; i++) {
			some = some.next("b", null, 10, i, TIME);
		}
		PrimaryRecord next = some.next("d", record("a", 0, 1).next("c", null, 100, 9, TIME), 100, 10, TIME);
		assertThat(next.raised()).isEqualTo(200);
		assertThat(next.raisedAt()).hasSize(7);
		assertThat(next.failovers()).isEqualTo(7);
	}

	@Test
	void raisesSinceATimeAreTheKnownOnesOrAllIfEarlierOnesMayBeMissing() {
		PrimaryRecord record = record("a", 0, 1);
		for (int i = 0; i <= PrimaryRecord.MAX_TIMES; i++) {
			record = record.next("b", null, 1000, i, TIME.plusSeconds(i));
		}
		assertThat(record.times()).hasSizeLessThanOrEqualTo(2000);
		Raises raises = this.gap.raises(record);
		assertThat(raises.since(TIME.plusSeconds(PrimaryRecord.MAX_TIMES + 1))).isZero();
		assertThat(raises.since(TIME.plusSeconds(PrimaryRecord.MAX_TIMES))).isEqualTo(1000);
		assertThat(raises.since(TIME.plusSeconds(2))).isEqualTo(1000 * (PrimaryRecord.MAX_TIMES - 1));
		assertThat(raises.since(TIME)).isEqualTo(1000 * (PrimaryRecord.MAX_TIMES + 1));
		assertThat(this.gap.raises(null)).isEqualTo(Raises.NONE);
	}

	@Test
	void aSmallerGapThanBeforeIsNotUsed() {
		FailoverGap smaller = new FailoverGap(10, () -> 100);
		Server server = new Server("b", record("a", 0, 1).next("a", null, 1000, 2, TIME));
		smaller.follow(server);
		assertThat(server.raised).isEqualTo(1000);
		assertThat(server.row.gap()).isEqualTo(1000);
		assertThat(smaller.firstNumber(1)).isEqualTo(2001);
		assertThat(smaller.raises(smaller.seen()).since(TIME)).isEqualTo(2000);
	}

	@Test
	void aLargerGapIsNotUsedBeforeItIsRecorded() {
		PrimaryRecord record = record("a", 0, 1).next("b", null, 10, 2, TIME);
		this.gap.follow(new Server("b", record));
		assertThat(this.gap.firstNumber(1)).isEqualTo(11);
		assertThat(this.gap.raises(this.gap.seen()).since(TIME)).isEqualTo(10);
	}

	@Test
	void aLargerGapThanBeforeIsUsedFromTheNextFailoverOn() {
		Server server = new Server("b", record("a", 0, 1).next("a", null, 10, 2, TIME));
		this.gap.follow(server);
		assertThat(server.raised).isEqualTo(1000);
		assertThat(server.row.gap()).isEqualTo(1000);
		assertThat(this.gap.firstNumber(1)).isEqualTo(1011);
		assertThat(this.gap.raises(this.gap.seen()).since(TIME)).isEqualTo(2000);
	}

	@Test
	void aLostRaiseByALargerGapIsMadeUpForAfterARaiseByASmallerOne() {
		this.gap.follow(new Server("b", record("a", 0, 1)));
		Server server = new Server("c", record("c", 0, 1).next("c", null, 100, 2, TIME));
		this.gap.follow(server);
		assertThat(server.raised).as("after a raise by 100").isEqualTo(1900);
	}

	@Test
	void aRaiseByLessThanAGapMoreThanALostOneDoesNotReplaceIt() {
		this.gap.follow(new Server("b", record("a", 0, 1)));
		Server server = new Server("c", record("c", 0, 1).next("c", null, 1500, 2, TIME));
		this.gap.follow(server);
		assertThat(server.raised).as("after a raise by 1500").isEqualTo(1500);
	}

	@Test
	void earlierRaisesDoNotReplaceALostOne() {
		PrimaryRecord seen = record("a", 0, 1).next("b", null, 1000, 2, TIME);
		this.gap.follow(new Server("b", seen));
		Server server = new Server("c", record("a", 0, 1).next("c", null, 1000, 3, TIME.minusSeconds(500))
			.next("c", null, 1000, 4, TIME.minusSeconds(400)));
		this.gap.follow(server);
		assertThat(server.raised).as("for periods that began after the earlier raises").isEqualTo(1000);
	}

	@Test
	void aLostRowThatAnotherProcessHasAddedAgainCountsAsAFailover() {
		this.gap.follow(new Server("b", record("b", 0, 1)));
		Server server = new Server("c", record("c", 0, 2));
		this.gap.follow(server);
		assertThat(server.raised).isEqualTo(1000);
	}

	@Test
	void severalRaisesByASmallerGapDoNotReplaceALostOneByALargerGap() {
		this.gap.follow(new Server("b", record("a", 0, 1)));
		Server server = new Server("d", record("c", 0, 1).next("c", null, 100, 2, TIME).next("d", null, 100, 3, TIME));
		this.gap.follow(server);
		assertThat(server.raised).as("after two raises by 100").isEqualTo(1800);
		assertThat(this.gap.firstNumber(1)).isEqualTo(2001);
	}

	@Test
	void lostRaisesAreMadeUpForIfTheGapGrewOnTheServerThatLacksThem() {
		Server b = new Server("b", record("a", 0, 1));
		this.gap.follow(b);
		Server c = new Server("c", b.row);
		this.gap.follow(c);
		Server d = new Server("d", record("a", 0, 1));
		new FailoverGap(10, () -> 101).follow(d);
		Server e = new Server("e", d.row);
		new FailoverGap(1000, () -> 102).follow(e);
		Server f = new Server("f", e.row);
		this.gap.follow(f);
		assertThat(d.raised + e.raised + f.raised).isEqualTo(b.raised + c.raised + 1000);
	}

	private static PrimaryRecord record(String server, long failovers, long version) {
		return new PrimaryRecord(server, failovers, (failovers > 0) ? 1000 : 0, 1000 * failovers, version, List.of());
	}

	private static final class Server implements Primary {

		private final String name;

		private final Runnable afterFirstRead;

		private PrimaryRecord row;

		private boolean read;

		private long raised;

		private Instant time = TIME;

		/**
		 * How much later than {@link #find} the first raises are executed.
		 */
		private Duration delay = Duration.ZERO;

		private int delays = 1;

		Server(String name, PrimaryRecord row) {
			this(name, row, () -> {
			});
		}

		Server(String name, PrimaryRecord row, Runnable afterFirstRead) {
			this.name = name;
			this.row = row;
			this.afterFirstRead = afterFirstRead;
		}

		@Override
		public Found find() {
			if (!this.read) {
				this.read = true;
				this.afterFirstRead.run();
			}
			return new Found(this.row, this.name, this.time);
		}

		@Override
		public void add(boolean here, long version) {
			throw new UnsupportedOperationException();
		}

		@Override
		public void raise(PrimaryRecord former, PrimaryRecord next, long numbers) {
			if (this.delays-- > 0) {
				this.time = this.time.plus(this.delay);
			}
			if (!this.time.isAfter(next.raisedAt().get(0))) {
				this.row = next;
				this.raised += numbers;
			}
		}

	}

}
