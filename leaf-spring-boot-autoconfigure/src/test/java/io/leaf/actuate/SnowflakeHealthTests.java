// SPDX-License-Identifier: Apache-2.0

package io.leaf.actuate;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

import io.leaf.IdGenerationException;
import io.leaf.actuate.HealthReport.Level;
import io.leaf.snowflake.GeneratorClock;
import io.leaf.snowflake.SnowflakeLanes;
import io.leaf.snowflake.SnowflakeLayout;
import io.leaf.snowflake.SnowflakeSettings;
import io.leaf.snowflake.lease.InMemoryWorkerLeaseStore;
import io.leaf.snowflake.lease.LeaseKeeper;
import io.leaf.snowflake.lease.LeaseSettings;
import io.leaf.snowflake.lease.SavedLeaseStore;
import io.leaf.snowflake.lease.TestLeases;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.BDDMockito.willThrow;
import static org.mockito.Mockito.mock;

class SnowflakeHealthTests {

	private static final Duration WINDOW = Duration.ofHours(1);

	private final AtomicLong ahead = new AtomicLong();

	private final InMemoryWorkerLeaseStore store = new InMemoryWorkerLeaseStore(() -> Instant.now().toEpochMilli());

	private final AtomicLong nanosAhead = new AtomicLong();

	private SnowflakeLanes lanes;

	@AutoClose
	private LeaseKeeper keeper;

	private SnowflakeHealth health;

	private void start(SnowflakeLayout layout, @Nullable SavedLeaseStore stateFile) {
		GeneratorClock clock = new GeneratorClock(() -> Instant.now().plusMillis(this.ahead.get()),
				() -> System.nanoTime() + this.nanosAhead.get(), Duration.ofSeconds(10));
		this.lanes = new SnowflakeLanes(
				new SnowflakeSettings(layout, Duration.ofMillis(100), 1, Duration.ofSeconds(30)), clock);
		this.keeper = new LeaseKeeper(this.store, stateFile, this.lanes,
				new LeaseSettings("orders", "10.0.0.1:8080", Duration.ofMillis(10), WINDOW, Duration.ofSeconds(10)));
		this.health = new SnowflakeHealth(this.lanes, this.keeper,
				new HealthThresholds(0.5, 0.5, Duration.ofSeconds(10), Duration.ofDays(365)));
		this.keeper.start();
	}

	private void start() {
		start(SnowflakeLayout.LEAF, null);
	}

	// moves both clocks, so that they agree
	private void pass(Duration duration) {
		this.nanosAhead.addAndGet(duration.toNanos());
		this.ahead.addAndGet(duration.toMillis());
	}

	@SuppressWarnings("unchecked")
	private List<String> reasons() {
		return (List<String>) this.health.report().details().get("reasons");
	}

	private void awaitFailure() {
		await().until(() -> this.keeper.status().lastError() != null);
	}

	@Test
	void upWhileMostOfTheLeaseIsLeft() {
		start();
		assertThat(this.health.report().level()).isEqualTo(Level.UP);
		assertThat(this.health.report().details()).containsOnlyKeys("workerIds", "source", "horizon",
				"layoutExhaustedAt");
		this.store.down(true);
		awaitFailure();
		assertThat(this.health.report().level()).as("most of the lease is left").isEqualTo(Level.UP);
	}

	@Test
	void warningIfTheHorizonIsNear() {
		start();
		this.store.down(true);
		awaitFailure();
		pass(Duration.ofMinutes(31));
		assertThat(this.health.report().level()).isEqualTo(Level.WARNING);
		assertThat(reasons()).singleElement()
			.asString()
			.startsWith("The lease on worker ID [0] ends at ")
			.contains(" and is not renewed: ");
		this.store.down(false);
		await().until(() -> this.health.report().level() == Level.UP);
	}

	@Test
	void downIfTheLeaseHasEnded() {
		start();
		this.store.down(true);
		awaitFailure();
		pass(WINDOW.plusMinutes(1));
		assertThat(this.health.report().level()).isEqualTo(Level.DOWN);
		assertThat(reasons()).singleElement().asString().startsWith("The lease on worker ID [0] ended at ");
	}

	@Test
	void downBeforeTheFirstLease() {
		start();
		LeaseKeeper idle = new LeaseKeeper(this.store.another(), null, this.lanes,
				new LeaseSettings("orders", "10.0.0.2:8080", Duration.ofMillis(10), WINDOW, Duration.ofSeconds(10)));
		HealthReport report = new SnowflakeHealth(this.lanes, idle,
				new HealthThresholds(0.5, 0.5, Duration.ofSeconds(10), Duration.ofDays(365)))
			.report();
		assertThat(report.level()).isEqualTo(Level.DOWN);
		assertThat(report.details().get("reasons")).isEqualTo(List.of("This process holds no worker ID"));
	}

	@Test
	void downIfAnotherProcessTookTheWorkerIdAndNoOtherIsFree() {
		start(new SnowflakeLayout(41, 0, 12, SnowflakeLayout.Unit.MILLISECONDS, SnowflakeLayout.LEAF.epoch()), null);
		assertThat(this.health.report().level()).isEqualTo(Level.UP);
		long now = Instant.now().toEpochMilli();
		this.store.put(0, TestLeases.lease("", now, "10.0.0.9:8080", now, now), "a server of Meituan's Leaf");
		await().until(() -> this.health.report().level() == Level.DOWN);
		assertThat(reasons()).singleElement()
			.asString()
			.startsWith("This process holds no worker ID: No worker ID is free for leaf.name=orders");
	}

	@Test
	void warningIfTheClocksDiffer() {
		start();
		this.ahead.set(-Duration.ofSeconds(20).toMillis());
		await().until(() -> this.health.report().level() == Level.WARNING);
		assertThat(reasons()).singleElement()
			.asString()
			.matches("The wall clock is [\\d.]+ s behind the generator's clock\\. leaf.snowflake.clock.max-drift .*");
	}

	@Test
	void warningIfTheLayoutIsAboutToRunOut() {
		Instant epoch = Instant.now().minusMillis(1L << 40).plus(Duration.ofDays(100)).truncatedTo(ChronoUnit.SECONDS);
		start(new SnowflakeLayout(40, 10, 12, SnowflakeLayout.Unit.MILLISECONDS, epoch), null);
		assertThat(this.health.report().level()).isEqualTo(Level.WARNING);
		assertThat(reasons()).singleElement().asString().startsWith("The layout runs out of timestamps at ");
		pass(Duration.ofDays(101));
		assertThat(this.health.report().level()).isEqualTo(Level.DOWN);
		assertThat(reasons())
			.anySatisfy((reason) -> assertThat(reason).startsWith("The layout ran out of timestamps at "));
	}

	@Test
	void warningIfTheStateFileCannotBeUsed() {
		SavedLeaseStore unusable = mock();
		willThrow(new IdGenerationException("the disk is read-only")).given(unusable).open(any(), any());
		start(SnowflakeLayout.LEAF, unusable);
		assertThat(this.health.report().level()).isEqualTo(Level.WARNING);
		assertThat(reasons()).containsExactly(
				"After a restart while the store is unavailable, this process would issue no IDs: the disk is read-only");
	}

}
