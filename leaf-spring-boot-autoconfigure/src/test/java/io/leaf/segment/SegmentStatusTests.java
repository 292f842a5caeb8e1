// SPDX-License-Identifier: Apache-2.0

package io.leaf.segment;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;

import io.leaf.ManualScheduler;
import io.leaf.SegmentUnavailableException;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class SegmentStatusTests {

	private final SegmentFixture fixture = new SegmentFixture();

	@Test
	void statusBeforeTheFirstIdHasNoSegment() {
		this.fixture.startWith("order", 1, 10);
		assertThat(this.fixture.status("order")).isEqualTo(new SegmentStatus(Ordering.STRICT, null, null, 10, 10, 0, 0,
				0, 0, Duration.ZERO, Duration.ZERO, new SegmentStatus.Numbers(0, 0, 0), null, null, null));
	}

	@Test
	void reportsTheSegmentsInMemory() {
		this.fixture.startWith("order", 1, 1000);
		this.fixture.nextIds("order", 16);
		assertThat(this.fixture.status("order")).isEqualTo(new SegmentStatus(Ordering.STRICT,
				new SegmentStatus.Current(1, 1001, 17, 984), null, 1000, 1000, 1, 0, 0, 1, Duration.ZERO, Duration.ZERO,
				new SegmentStatus.Numbers(16, 0, 0), SegmentFixture.NOW, null, null));
	}

	@Test
	void countsIssuedNumbersAcrossSegments() {
		this.fixture.startWith("order", 1, 10);
		this.fixture.nextIds("order", 7);
		this.fixture.nextIds("order", 16);
		assertThat(this.fixture.status("order").numbers()).isEqualTo(new SegmentStatus.Numbers(23, 0, 0));
		assertThat(this.fixture.status("order").fetches()).isGreaterThan(1);
	}

	@Test
	void countsNumbersLostWithARemovedRow() {
		this.fixture.startWith("order", 1, 10);
		this.fixture.nextIds("order", 4);
		this.fixture.store.remove("order");
		this.fixture.scheduler.advance(this.fixture.settings.refreshInterval());
		assertThat(this.fixture.status("order")).isNull();
		assertThat(this.fixture.generator.lastStatus("order").numbers()).satisfies((numbers) -> {
			assertThat(numbers.issued()).isEqualTo(4);
			assertThat(numbers.lost()).isIn(6L, 16L);
		});
		this.fixture.store.put("order", 100, 10);
		this.fixture.nextIds("order", 5);
		assertThat(this.fixture.status("order").numbers().issued()).isEqualTo(9);
	}

	@Test
	void countsNumbersGivenBackAndLostByClosing() {
		this.fixture.store.put("order", 1, 10).put("payment", 1, 10);
		this.fixture.start();
		this.fixture.nextIds("order", 4);
		this.fixture.nextIds("payment", 4);
		this.fixture.scheduler.run();
		this.fixture.store.put("payment", 1000, 10);
		this.fixture.generator.close();
		assertThat(this.fixture.generator.lastStatus("order").numbers()).isEqualTo(new SegmentStatus.Numbers(4, 16, 0));
		assertThat(this.fixture.generator.lastStatus("payment").numbers())
			.isEqualTo(new SegmentStatus.Numbers(4, 0, 16));
	}

	@Test
	void countsFailedAttemptsUntilASegmentArrives() {
		this.fixture.startWith("order", 1, 10);
		this.fixture.nextId("order");
		this.fixture.store.failWith(InMemorySegmentStore.down());
		this.fixture.drawFromMemory("order", 5);
		this.fixture.scheduler.advance(Duration.ofSeconds(10));
		assertThat(this.fixture.status("order").failedAttempts()).isGreaterThan(1)
			.isEqualTo((int) this.fixture.status("order").failures());
		this.fixture.store.failWith(null);
		this.fixture.scheduler.advance(Duration.ofMinutes(1));
		assertThat(this.fixture.status("order").failedAttempts()).isZero();
		assertThat(this.fixture.status("order").failures()).isGreaterThan(1);
	}

	@Test
	void measuresHowLongCallersWaited() {
		ManualScheduler scheduler = this.fixture.scheduler;
		InMemorySegmentStore store = this.fixture.store.put("order", 1, 10);
		SegmentEnvironment environment = new SegmentEnvironment(scheduler, () -> SegmentFixture.NOW,
				scheduler::nanoTime, (latch, nanos) -> {
					scheduler.advance(Duration.ofMillis(5));
					return latch.getCount() == 0;
				}, new Random(1));
		KeySequence sequence = KeySequence.create("order", store, this.fixture.settings, environment,
				new KeyDirectory(store, this.fixture.settings, environment));
		sequence.rowSeen(store.row("order"));
		assertThat(sequence.nextIds(10)).hasSize(10);
		assertThat(sequence.status().waits()).isEqualTo(1);
		assertThat(sequence.status().waited()).isEqualTo(Duration.ofMillis(5));
	}

	@Test
	void reportsHowLongANeededFetchHasBeenInFlight() {
		this.fixture.startWith("order", 1, 10);
		this.fixture.nextId("order");
		this.fixture.drawFromMemory("order", 5);
		this.fixture.scheduler.tick(Duration.ofSeconds(2));
		assertThat(this.fixture.status("order").awaited()).as("no call needs it").isEqualTo(Duration.ZERO);
		this.fixture.drawFromMemory("order", 4);
		CompletableFuture<Long> caller = this.fixture.begin(() -> this.fixture.generator.nextId("order"));
		SegmentFixture.await().until(() -> !this.fixture.status("order").awaited().isZero());
		assertThat(this.fixture.status("order").awaited()).isEqualTo(Duration.ofSeconds(2));
		this.fixture.scheduler.tick(Duration.ofSeconds(1));
		assertThat(this.fixture.status("order").awaited()).isEqualTo(Duration.ofSeconds(3));
		this.fixture.scheduler.run();
		assertThat(SegmentFixture.end(caller)).isEqualTo(11);
		assertThat(this.fixture.status("order").awaited()).isEqualTo(Duration.ZERO);
	}

	@Test
	void aFetchIsStillNeededAfterItsCallerHasGivenUp() {
		this.fixture.acquireTimeout(Duration.ofMillis(1)).startWith("order", 1, 10);
		assertThatExceptionOfType(SegmentUnavailableException.class)
			.isThrownBy(() -> this.fixture.generator.nextId("order"));
		this.fixture.scheduler.tick(Duration.ofSeconds(5));
		assertThat(this.fixture.status("order").awaited()).isEqualTo(Duration.ofSeconds(5));
		assertThat(this.fixture.status("order").failedAttempts()).isZero();
	}

	@Test
	void listenersAreNotifiedOfKnownKeys() {
		this.fixture.store.put("payment", 1, 10).put("order", 1, 10);
		this.fixture.start();
		List<String> notified = new ArrayList<>();
		this.fixture.generator.onKey(notified::add);
		assertThat(notified).containsExactly("order", "payment");
		this.fixture.store.put("late", 1, 10);
		this.fixture.nextId("late");
		this.fixture.scheduler.advance(this.fixture.settings.refreshInterval());
		assertThat(notified).containsExactly("order", "payment", "late");
	}

	@Test
	void aListenerThatFailsDoesNotPreventIdsFromBeingIssued() {
		this.fixture.start();
		this.fixture.generator.onKey((key) -> {
			throw new IllegalStateException(key);
		});
		this.fixture.store.put("order", 1, 10);
		assertThat(this.fixture.nextId("order")).isEqualTo(1);
	}

	@Test
	void statusOfAUsedUpSegmentIsThatOfTheNext() {
		this.fixture.startWith("order", 1, 10);
		this.fixture.nextIds("order", 10);
		this.fixture.scheduler.run();
		assertThat(this.fixture.status("order").current()).isEqualTo(new SegmentStatus.Current(11, 21, 11, 10));
		assertThat(this.fixture.status("order").next()).isNull();
	}

}
