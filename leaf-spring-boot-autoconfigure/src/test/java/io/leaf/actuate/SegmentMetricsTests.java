// SPDX-License-Identifier: Apache-2.0

package io.leaf.actuate;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;

import io.leaf.SegmentUnavailableException;
import io.leaf.UnknownKeyException;
import io.leaf.segment.InMemorySegmentStore;
import io.leaf.segment.SegmentIdGenerator;
import io.leaf.segment.TestSettings;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MockClock;
import io.micrometer.core.instrument.simple.SimpleConfig;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

@ExtendWith(OutputCaptureExtension.class)
class SegmentMetricsTests {

	private final MockClock clock = new MockClock();

	private final MeterRegistry registry = new SimpleMeterRegistry(SimpleConfig.DEFAULT, this.clock);

	private final InMemorySegmentStore store = new InMemorySegmentStore();

	@AutoClose
	private final SegmentIdGenerator generator = new SegmentIdGenerator(this.store,
			TestSettings.DEFAULTS.toBuilder().maxStep(1).acquireTimeout(Duration.ofSeconds(30)).build());

	private void start(int maxKeys) {
		this.generator.start();
		new SegmentMetrics(this.generator, new MeteredKeys(maxKeys)).bindTo(this.registry);
	}

	private double counter(String name, String key) {
		return this.registry.get(name).tags("mode", "segment", "key", key).functionCounter().count();
	}

	private double gauge(String name, String key) {
		return this.registry.get(name).tags("mode", "segment", "key", key).gauge().value();
	}

	private void awaitNext(String key) {
		await().until(() -> this.generator.status(key).next() != null);
	}

	@Test
	void idsAreCounted() {
		this.store.put("order", 1, 100);
		start(100);
		assertThat(counter("leaf.ids.issued", "order")).isZero();
		this.generator.nextIds("order", 42);
		assertThat(counter("leaf.ids.issued", "order")).isEqualTo(42);
		awaitNext("order");
		assertThat(gauge("leaf.segment.remaining", "order")).isEqualTo(158);
		assertThat(counter("leaf.segment.fetches", "order")).isEqualTo(2);
	}

	@Test
	void remainingTimeIsBasedOnTheCurrentRate() {
		this.store.put("order", 1, 100);
		start(100);
		this.generator.nextIds("order", 50);
		awaitNext("order");
		assertThat(gauge("leaf.segment.remaining.time", "order")).isInfinite();
		this.clock.add(Duration.ofSeconds(10));
		assertThat(gauge("leaf.segment.remaining.time", "order")).isEqualTo(150 / 5.0);
	}

	@Test
	void waitsAndFailuresAreCounted() {
		this.store.put("order", 1, 100);
		start(100);
		this.store.failWith(InMemorySegmentStore.down());
		Thread caller = new Thread(() -> this.generator.nextId("order"));
		caller.start();
		await().until(() -> counter("leaf.segment.fetch.failures", "order") > 0);
		this.store.failWith(null);
		await().until(() -> !caller.isAlive());
		assertThat(this.registry.get("leaf.ids.wait").tag("key", "order").functionTimer()).satisfies((timer) -> {
			assertThat(timer.count()).isEqualTo(1);
			assertThat(timer.totalTime(TimeUnit.NANOSECONDS)).isPositive();
		});
	}

	@Test
	void numbersGivenBackAndLostAreCounted() {
		this.store.put("order", 1, 100).put("payment", 1, 100);
		start(100);
		this.generator.nextIds("order", 5);
		this.generator.nextIds("payment", 5);
		this.store.put("payment", 1000, 100);
		this.generator.close();
		assertThat(counter("leaf.segment.given.back", "order")).isEqualTo(95);
		assertThat(counter("leaf.segment.lost", "order")).isZero();
		assertThat(counter("leaf.segment.given.back", "payment")).isZero();
		assertThat(counter("leaf.segment.lost", "payment")).isEqualTo(95);
		assertThat(counter("leaf.ids.issued", "payment")).as("after closing").isEqualTo(5);
		assertThatExceptionOfType(SegmentUnavailableException.class).isThrownBy(() -> this.generator.nextId("order"));
	}

	@Test
	void metersThatManyKeysShareAreRegisteredOnce(CapturedOutput output) {
		this.store.put("order", 1, 100).put("payment", 1, 100);
		start(0);
		this.generator.nextIds("order", 2);
		this.store.put("refund", 1, 100);
		this.generator.nextIds("refund", 3);
		assertThat(counter("leaf.ids.issued", MeteredKeys.OTHERS)).isEqualTo(5);
		assertThat(output).doesNotContain("already been registered", "been already registered");
	}

	@Test
	void keysAddedLaterAreMeasured() {
		start(100);
		assertThat(this.registry.getMeters()).isEmpty();
		this.store.put("order", 1, 100);
		this.generator.nextIds("order", 3);
		assertThat(counter("leaf.ids.issued", "order")).isEqualTo(3);
	}

	@Test
	void keysBeyondTheBoundAreMeasuredTogether() {
		for (String key : List.of("a", "b", "c", "d")) {
			this.store.put(key, 1, 100);
		}
		start(2);
		for (String key : List.of("a", "b", "c", "d", "d")) {
			this.generator.nextId(key);
		}
		assertThat(keyTags()).containsExactly("_others", "a", "b");
		assertThat(counter("leaf.ids.issued", "a")).isEqualTo(1);
		assertThat(counter("leaf.ids.issued", "_others")).isEqualTo(3);
		assertThat(counter("leaf.segment.fetches", "_others")).isEqualTo(2);
	}

	@Test
	void allMetersOfAScrapeOfManyKeysShareOneSum() {
		this.store.put("a", 1, 100).put("b", 1, 100);
		start(0);
		this.generator.nextIds("a", 5);
		assertThat(counter("leaf.ids.issued", "_others")).isEqualTo(5);
		this.generator.nextIds("b", 5);
		assertThat(gauge("leaf.segment.remaining", "_others")).as("at the same moment").isEqualTo(95);
		assertThat(counter("leaf.segment.fetches", "_others")).as("at the same moment").isEqualTo(1);
		this.clock.add(Duration.ofSeconds(1));
		assertThat(gauge("leaf.segment.remaining", "_others")).as("at the next scrape").isEqualTo(190);
		assertThat(counter("leaf.ids.issued", "_others")).as("at the next scrape").isEqualTo(10);
	}

	@Test
	void metricsCanBeBoundToTwoRegistries() {
		MeterRegistry other = new SimpleMeterRegistry();
		this.store.put("order", 1, 100);
		this.generator.start();
		SegmentMetrics metrics = new SegmentMetrics(this.generator, new MeteredKeys(1));
		metrics.bindTo(this.registry);
		metrics.bindTo(other);
		this.generator.nextId("order");
		assertThat(counter("leaf.ids.issued", "order")).isEqualTo(1);
		assertThat(other.get("leaf.ids.issued").functionCounter().count()).isEqualTo(1);
	}

	@Test
	void removingARowDoesNotLowerTheCount() {
		this.store.put("order", 1, 100);
		start(100);
		this.generator.nextIds("order", 7);
		this.store.remove("order");
		// the next fetch finds that the row is missing, and stops the key
		assertThatExceptionOfType(UnknownKeyException.class).isThrownBy(() -> {
			for (int i = 0; i < 200; i++) {
				this.generator.nextId("order");
			}
		});
		assertThat(counter("leaf.ids.issued", "order")).isBetween(7.0, 100.0);
		assertThat(counter("leaf.ids.issued", "order") + counter("leaf.segment.lost", "order")).isEqualTo(100);
	}

	private Set<String> keyTags() {
		Set<String> tags = new TreeSet<>();
		for (Meter meter : this.registry.getMeters()) {
			tags.add(meter.getId().getTag("key"));
		}
		return tags;
	}

}
