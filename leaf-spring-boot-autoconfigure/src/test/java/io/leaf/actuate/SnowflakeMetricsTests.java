// SPDX-License-Identifier: Apache-2.0

package io.leaf.actuate;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;

import io.leaf.snowflake.GeneratorClock;
import io.leaf.snowflake.SnowflakeIdGenerator;
import io.leaf.snowflake.SnowflakeLanes;
import io.leaf.snowflake.SnowflakeLayout;
import io.leaf.snowflake.SnowflakeSettings;
import io.leaf.snowflake.lease.InMemoryWorkerLeaseStore;
import io.leaf.snowflake.lease.Lease;
import io.leaf.snowflake.lease.LeaseKeeper;
import io.leaf.snowflake.lease.LeaseSettings;
import io.leaf.snowflake.lease.TestLeases;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

class SnowflakeMetricsTests {

	private final MeterRegistry registry = new SimpleMeterRegistry();

	private final InMemoryWorkerLeaseStore store = new InMemoryWorkerLeaseStore(() -> Instant.now().toEpochMilli());

	private final SnowflakeLanes lanes = new SnowflakeLanes(
			new SnowflakeSettings(SnowflakeLayout.LEAF, Duration.ofMillis(100), 1, Duration.ofSeconds(30)),
			new GeneratorClock(Instant::now, System::nanoTime, Duration.ofSeconds(10)));

	@AutoClose
	private final LeaseKeeper keeper = new LeaseKeeper(this.store, null, this.lanes, new LeaseSettings("orders",
			"10.0.0.1:8080", Duration.ofMillis(10), Duration.ofHours(1), Duration.ofSeconds(10)));

	private void start() {
		this.keeper.start();
		new SnowflakeMetrics(this.lanes, this.keeper).bindTo(this.registry);
	}

	private double gauge(String name) {
		return this.registry.get(name).tags("mode", "snowflake", "key", "all").gauge().value();
	}

	private double seconds(String name) {
		return this.registry.get(name).tags("mode", "snowflake", "key", "all").timeGauge().value(TimeUnit.SECONDS);
	}

	@Test
	void idsAndWaitsAreCounted() {
		start();
		SnowflakeIdGenerator generator = new SnowflakeIdGenerator(this.lanes);
		generator.nextId("order");
		generator.nextIds("order", 1_000_000);
		assertThat(
				this.registry.get("leaf.ids.issued").tags("mode", "snowflake", "key", "all").functionCounter().count())
			.isEqualTo(1_000_001);
		assertThat(this.registry.get("leaf.ids.wait").tag("mode", "snowflake").functionTimer()).satisfies((timer) -> {
			assertThat(timer.count()).isEqualTo(1);
			assertThat(timer.totalTime(TimeUnit.NANOSECONDS)).isPositive();
		});
		assertThat(seconds("leaf.snowflake.lead")).isBetween(0.0, 0.1);
	}

	@Test
	void heldAndFreeWorkerIdsAreCounted() {
		long now = Instant.now().toEpochMilli();
		this.store.write(7, -1, TestLeases.lease("other", now + 3_600_000, "10.0.0.2:8080", now, now));
		this.store.write(8, -1, TestLeases.lease(Lease.NO_OWNER, now - 1000, "10.0.0.3:8080", now, now));
		this.store.write(9, -1, TestLeases.lease("dead", now - 1000, "10.0.0.4:8080", now, now));
		start();
		assertThat(gauge("leaf.snowflake.workers.held")).isEqualTo(1);
		assertThat(gauge("leaf.snowflake.workers.free")).as("all but the other process's and our own").isEqualTo(1022);
	}

	@Test
	void remainingTimesAndClockOffsetAreReported() {
		start();
		assertThat(seconds("leaf.snowflake.horizon.remaining")).isBetween(3_500.0, 3_600.0);
		assertThat(seconds("leaf.snowflake.clock.offset")).isBetween(-5.0, 5.0);
		assertThat(seconds("leaf.snowflake.layout.remaining"))
			.isEqualTo(Duration.between(Instant.now(), SnowflakeLayout.LEAF.exhaustedAt()).toSeconds(), within(3600.0));
	}

	@Test
	void failedRenewalsAreCounted() {
		start();
		assertThat(this.registry.get("leaf.snowflake.renewal.failures").functionCounter().count()).isZero();
		this.store.down(true);
		await().until(() -> this.registry.get("leaf.snowflake.renewal.failures").functionCounter().count() > 2);
	}

}
