// SPDX-License-Identifier: Apache-2.0

package io.leaf.actuate;

import java.time.Duration;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.leaf.ManualScheduler;
import io.leaf.SegmentUnavailableException;
import io.leaf.actuate.HealthReport.Level;
import io.leaf.segment.InMemorySegmentStore;
import io.leaf.segment.KeyPeriod;
import io.leaf.segment.KeySettings;
import io.leaf.segment.ManualSegments;
import io.leaf.segment.PeriodUnit;
import io.leaf.segment.SegmentIdGenerator;
import io.leaf.segment.SegmentSettings;
import io.leaf.segment.TestSettings;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;
import static org.mockito.BDDMockito.then;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.spy;

class SegmentHealthTests {

	private static final KeyPeriod PERIOD = new KeyPeriod(PeriodUnit.YEAR, ZoneOffset.UTC, 2, Duration.ZERO);

	private final InMemorySegmentStore store = new InMemorySegmentStore();

	@AutoClose
	private final SegmentIdGenerator generator = new SegmentIdGenerator(this.store, settings());

	private final SegmentHealth health = new SegmentHealth(this.generator, 0.5);

	private static SegmentSettings settings() {
		return TestSettings.DEFAULTS.toBuilder()
			.maxStep(100)
			.acquireTimeout(Duration.ofMillis(500))
			.failFast(false)
			.keys(Map.of("invoice", new KeySettings(1, null, PERIOD)))
			.build();
	}

	@SuppressWarnings("unchecked")
	private List<String> reasons() {
		return (List<String>) this.health.report().details().get("reasons");
	}

	private void awaitNext(String key) {
		await().until(() -> this.generator.status(key).next() != null);
	}

	private void awaitFailures(String key) {
		await().until(() -> this.generator.status(key).failedAttempts() > 0);
	}

	@Test
	void upIfNoFetchIsNeeded() {
		this.store.put("order", 1, 100).put("payment", 1, 100);
		this.generator.start();
		assertThat(this.health.report().level()).as("before the first ID").isEqualTo(Level.UP);
		this.generator.nextIds("order", 20);
		awaitNext("order");
		this.store.failWith(InMemorySegmentStore.down());
		assertThat(this.health.report().level()).as("nothing is needed").isEqualTo(Level.UP);
		assertThat(this.health.report().details()).containsOnlyKeys("keys").containsEntry("keys", 2);
	}

	@Test
	void onlyUsedKeysAreChecked() {
		IntStream.range(0, 1000).forEach((i) -> this.store.put("key-" + i, 1, 100));
		this.generator.start();
		this.generator.nextId("key-7");
		SegmentIdGenerator observed = spy(this.generator);
		assertThat(new SegmentHealth(observed, 0.5).report().details()).containsEntry("keys", 1000);
		then(observed).should(never()).status();
		assertThat(this.generator.usedStatus()).as("checked").containsOnlyKeys("key-7");
	}

	@Test
	void aKeyThatHasNeverReceivedNumbersIsChecked() {
		this.store.put("order", 1, 100);
		this.generator.start();
		this.store.failWith(InMemorySegmentStore.down());
		assertThatExceptionOfType(SegmentUnavailableException.class).isThrownBy(() -> this.generator.nextId("order"));
		awaitFailures("order");
		assertThat(this.health.report().level()).isEqualTo(Level.DOWN);
	}

	@Test
	void upWhileEnoughIsLeft() {
		this.store.put("order", 1, 100);
		this.generator.start();
		this.generator.nextId("order");
		this.store.failWith(InMemorySegmentStore.down());
		this.generator.nextIds("order", 20);
		awaitFailures("order");
		assertThat(this.health.report().level()).isEqualTo(Level.UP);
	}

	@Test
	void warningIfFewNumbersOfAPeriodAreLeft() {
		this.store.put("invoice", 1, 100);
		this.generator.start();
		this.generator.nextIds("invoice", 89);
		assertThat(this.health.report().level()).isEqualTo(Level.UP);
		this.generator.nextId("invoice");
		assertThat(this.health.report().level()).isEqualTo(Level.WARNING);
		assertThat(reasons()).containsExactly(
				"90 of the 99 numbers of period 2026 of key 'invoice' have been allocated; the next period begins at 2027-01-01T00:00:00Z");
	}

	@Test
	void warningIfFewNumbersAreLeftAndFetchingFails() {
		this.store.put("order", 1, 100);
		this.generator.start();
		this.generator.nextId("order");
		this.store.failWith(InMemorySegmentStore.down());
		this.generator.nextIds("order", 79);
		awaitFailures("order");
		assertThat(this.health.report().level()).isEqualTo(Level.WARNING);
		assertThat(reasons()).singleElement()
			.asString()
			.startsWith("20 IDs left for key 'order', and ")
			.endsWith(" attempts to fetch more have failed: the store is down");
		this.store.failWith(null);
		awaitNext("order");
		assertThat(this.health.report().level()).as("after a successful fetch").isEqualTo(Level.UP);
	}

	@Test
	void downIfNoNumbersAreLeftAndFetchingFails() {
		this.store.put("order", 1, 100).put("payment", 1, 100);
		this.generator.start();
		this.generator.nextId("payment");
		this.store.failWith(InMemorySegmentStore.down());
		this.generator.nextIds("payment", 79);
		assertThatExceptionOfType(SegmentUnavailableException.class).isThrownBy(() -> this.generator.nextId("order"));
		awaitFailures("payment");
		assertThat(this.health.report().level()).isEqualTo(Level.DOWN);
		assertThat(reasons()).hasSize(2);
		assertThat(reasons().get(0)).startsWith("No IDs left for key 'order', and ");
		assertThat(reasons().get(1)).startsWith("20 IDs left for key 'payment', and ");
	}

	@Test
	void downIfNothingIsLeftAndARequiredFetchTakesMoreThanASecond() {
		ManualScheduler scheduler = new ManualScheduler();
		SegmentIdGenerator generator = ManualSegments.create(this.store.put("order", 1, 100), settings(), scheduler);
		SegmentHealth health = new SegmentHealth(generator, 0.5);
		assertThatExceptionOfType(SegmentUnavailableException.class).as("needs a segment")
			.isThrownBy(() -> generator.nextId("order"));
		scheduler.tick(Duration.ofSeconds(1));
		assertThat(health.report().level()).as("after one second").isEqualTo(Level.UP);
		scheduler.tick(Duration.ofMillis(1));
		assertThat(health.report()).isEqualTo(new HealthReport(Level.DOWN, Map.of("keys", 1, "reasons",
				List.of("No IDs left for key 'order', and fetching more has taken 1001 ms so far"))));
		scheduler.run();
		assertThat(health.report().level()).as("after the fetch").isEqualTo(Level.UP);
	}

	@Test
	void downIfTheRowsHaveNeverBeenRead() {
		this.store.failWith(InMemorySegmentStore.down());
		this.generator.start();
		assertThat(this.health.report().level()).isEqualTo(Level.DOWN);
		assertThat(reasons()).containsExactly("No keys are known: the store is down");
	}

	@Test
	void anEmptyTableIsNotAFailure() {
		this.generator.start();
		assertThat(this.health.report()).isEqualTo(new HealthReport(Level.UP, Map.of("keys", 0)));
	}

	@Test
	void atMostTenReasonsAreListed() {
		for (int i = 10; i < 25; i++) {
			this.store.put("key" + i, 1, 100);
		}
		this.generator.start();
		this.store.failWith(InMemorySegmentStore.down());
		Thread[] callers = new Thread[15];
		for (int i = 0; i < callers.length; i++) {
			String key = "key" + (10 + i);
			callers[i] = new Thread(() -> assertThatExceptionOfType(SegmentUnavailableException.class)
				.isThrownBy(() -> this.generator.nextId(key)));
			callers[i].start();
		}
		for (int i = 10; i < 25; i++) {
			awaitFailures("key" + i);
		}
		assertThat(reasons()).hasSize(11);
		assertThat(reasons().get(10)).isEqualTo("and 5 more keys");
		await().until(() -> Stream.of(callers).noneMatch(Thread::isAlive));
	}

}
