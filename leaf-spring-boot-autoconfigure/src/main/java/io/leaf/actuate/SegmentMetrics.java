// SPDX-License-Identifier: Apache-2.0

package io.leaf.actuate;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.ToLongFunction;

import io.leaf.segment.SegmentIdGenerator;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.binder.MeterBinder;

/**
 * Meters of segment mode, for each key. They are read from where numbers are drawn:
 * issuing an ID costs nothing more.
 * <p>
 * Some keys have meters of their own: those of the start in alphabetical order, then
 * others as they come to be known. Those beyond the bound are measured together, as key
 * {@value MeteredKeys#OTHERS}.
 */
public final class SegmentMetrics implements MeterBinder {

	private final SegmentIdGenerator generator;

	private final MeteredKeys keys;

	// by tag; kept here since registries refer to what they measure weakly
	private final Map<String, MeasuredKeys> measured = new ConcurrentHashMap<>();

	/**
	 * Creates the meters.
	 * @param generator what to measure
	 * @param keys which keys have meters of their own
	 */
	public SegmentMetrics(SegmentIdGenerator generator, MeteredKeys keys) {
		this.generator = generator;
		this.keys = keys;
	}

	@Override
	public void bindTo(MeterRegistry registry) {
		Set<String> registered = ConcurrentHashMap.newKeySet();
		this.generator.onKey((key) -> bind(registry, key, registered));
	}

	// Micrometer warns of meters that are registered again.
	private void bind(MeterRegistry registry, String key, Set<String> registered) {
		String tag = this.keys.tagOf(key);
		MeasuredKeys measured = this.measured.computeIfAbsent(tag,
				(absent) -> new MeasuredKeys(this.generator, registry.config().clock()));
		measured.add(key);
		if (registered.add(tag)) {
			register(registry, measured, Tags.of("mode", "segment", "key", tag));
		}
	}

	private static void register(MeterRegistry registry, MeasuredKeys measured, Tags tags) {
		FunctionCounter.builder("leaf.ids.issued", measured, MeasuredKeys::issued)
			.description("IDs issued")
			.tags(tags)
			.register(registry);
		FunctionTimer
			.builder("leaf.ids.wait", measured, (keys) -> keys.measures().waits(),
					(keys) -> keys.measures().waitedNanos(), TimeUnit.NANOSECONDS)
			.description("Calls that had to wait for an ID, and how long")
			.tags(tags)
			.register(registry);
		Gauge.builder("leaf.segment.remaining", measured, (keys) -> keys.measures().remaining())
			.description("IDs that can be issued without a fetch")
			.baseUnit("ids")
			.tags(tags)
			.register(registry);
		TimeGauge.builder("leaf.segment.remaining.time", measured, TimeUnit.SECONDS, MeasuredKeys::secondsLeft)
			.description("How long these last at the present rate; infinite where none is being issued")
			.tags(tags)
			.register(registry);
		counter("leaf.segment.fetches", "Segments fetched", SegmentMeasures::fetches, measured).tags(tags)
			.register(registry);
		counter("leaf.segment.fetch.failures", "Attempts to fetch a segment that failed", SegmentMeasures::failures,
				measured)
			.tags(tags)
			.register(registry);
		counter("leaf.segment.given.back", "IDs returned to the table when the generator was closed",
				(measures) -> measures.numbers().givenBack(), measured)
			.baseUnit("ids")
			.tags(tags)
			.register(registry);
		counter("leaf.segment.lost", "IDs fetched, and neither issued nor given back",
				(measures) -> measures.numbers().lost(), measured)
			.baseUnit("ids")
			.tags(tags)
			.register(registry);
	}

	private static FunctionCounter.Builder<MeasuredKeys> counter(String name, String description,
			ToLongFunction<SegmentMeasures> count, MeasuredKeys measured) {
		return FunctionCounter.builder(name, measured, (keys) -> count.applyAsLong(keys.measures()))
			.description(description);
	}

}
