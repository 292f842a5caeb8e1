// SPDX-License-Identifier: Apache-2.0

package io.leaf.actuate;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleSupplier;

import io.leaf.snowflake.SnowflakeLanes;
import io.leaf.snowflake.lease.LeaseKeeper;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.binder.MeterBinder;

/**
 * Meters of snowflake mode. They read the state of the lanes and of the lease keeper in
 * memory.
 */
public final class SnowflakeMetrics implements MeterBinder {

	/**
	 * The tags of all meters. The tag {@code key} is always "all", because all keys share
	 * one sequence of IDs.
	 */
	private static final Tags TAGS = Tags.of("mode", "snowflake", "key", "all");

	private final SnowflakeLanes lanes;

	private final LeaseKeeper keeper;

	/**
	 * Creates the meters.
	 * @param lanes the lanes that issue IDs
	 * @param keeper the keeper of the lanes' leases
	 */
	public SnowflakeMetrics(SnowflakeLanes lanes, LeaseKeeper keeper) {
		this.lanes = lanes;
		this.keeper = keeper;
	}

	@Override
	public void bindTo(MeterRegistry registry) {
		FunctionCounter.builder("leaf.ids.issued", this.lanes, SnowflakeLanes::issued)
			.description("IDs issued")
			.tags(TAGS)
			.register(registry);
		FunctionTimer
			.builder("leaf.ids.wait", this.lanes, SnowflakeLanes::waits, (lanes) -> lanes.waited().toNanos(),
					TimeUnit.NANOSECONDS)
			.description("Calls that had to wait for an ID, and how long they waited")
			.tags(TAGS)
			.register(registry);
		FunctionCounter.builder("leaf.snowflake.renewal.failures", this.keeper, (keeper) -> keeper.status().failures())
			.description("Failed renewals of the lease")
			.tags(TAGS)
			.register(registry);
		Gauge.builder("leaf.snowflake.workers.held", this.keeper, (keeper) -> keeper.status().workerIds().size())
			.description("Worker IDs that this process holds")
			.tags(TAGS)
			.register(registry);
		Gauge.builder("leaf.snowflake.workers.free", this.keeper, SnowflakeMetrics::free)
			.description("Worker IDs that can be claimed, counted at each claim and every ten minutes")
			.tags(TAGS)
			.register(registry);
		time(registry, "leaf.snowflake.horizon.remaining", "How long IDs can be issued if the store stays unavailable",
				TimeUnit.MILLISECONDS, this::untilHorizon);
		time(registry, "leaf.snowflake.lead", "How far the timestamps of issued IDs run ahead of the clock",
				TimeUnit.MILLISECONDS, this.lanes::leadMillis);
		time(registry, "leaf.snowflake.clock.offset", "How far the wall clock is ahead of the generator's clock",
				TimeUnit.MILLISECONDS, this.lanes.clock()::offsetMillis);
		time(registry, "leaf.snowflake.layout.remaining", "Time until the layout runs out of timestamps",
				TimeUnit.SECONDS, this::untilExhausted);
	}

	// Registries hold only weak references to measured objects. Therefore, the measured
	// object is not this instance but the lanes, which live as long as IDs are issued.
	private void time(MeterRegistry registry, String name, String description, TimeUnit unit, DoubleSupplier time) {
		TimeGauge.builder(name, this.lanes, unit, (lanes) -> time.getAsDouble())
			.description(description)
			.tags(TAGS)
			.register(registry);
	}

	private static double free(LeaseKeeper keeper) {
		Long free = keeper.status().free();
		return (free != null) ? free : Double.NaN;
	}

	private double untilHorizon() {
		Instant horizon = this.keeper.status().horizon();
		return (horizon != null) ? horizon.toEpochMilli() - this.lanes.clock().millis() : 0;
	}

	private double untilExhausted() {
		Instant now = Instant.ofEpochMilli(this.lanes.clock().millis());
		return Duration.between(now, this.lanes.settings().layout().exhaustedAt()).toSeconds();
	}

}
