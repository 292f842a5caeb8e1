// SPDX-License-Identifier: Apache-2.0

package io.leaf.actuate;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.ToLongFunction;

import io.leaf.actuate.MeasuredKeys.Measures;
import io.leaf.segment.SegmentIdGenerator;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.binder.MeterBinder;

/**
 * Meters of segment mode. They read counters that exist anyway, so they add no cost to
 * issuing an ID.
 * <p>
 * A limited number of keys have their own meters: first the keys that are known at
 * startup, in alphabetical order, then other keys in the order of their discovery. Keys
 * beyond the limit are measured together, as key {@value MeteredKeys#OTHERS}.
 */
public final class SegmentMetrics implements MeterBinder {

	private final SegmentIdGenerator generator;

	private final MeteredKeys keys;

	// by tag; held here because registries hold only weak references to measured objects
	private final Map<String, MeasuredKeys> measured = new ConcurrentHashMap<>();

	/**
	 * Creates the meters.
	 * @param generator the generator to measure
	 * @param keys decides which keys have their own meters
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

	// Registers the meters of a tag only once, because Micrometer warns if a meter is
	// registered twice.
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
			.description("Calls that had to wait for an ID, and how long they waited")
			.tags(tags)
			.register(registry);
		Gauge.builder("leaf.segment.remaining", measured, (keys) -> keys.measures().remaining())
			.description("IDs that can be issued without a fetch")
			.baseUnit("ids")
			.tags(tags)
			.register(registry);
		TimeGauge.builder("leaf.segment.remaining.time", measured, TimeUnit.SECONDS, MeasuredKeys::secondsLeft)
			.description("How long the remaining IDs last at the present rate; infinite if none are being issued")
			.tags(tags)
			.register(registry);
		counter("leaf.segment.fetches", "Segments fetched", Measures::fetches, measured).tags(tags).register(registry);
		counter("leaf.segment.fetch.failures", "Failed attempts to fetch a segment", Measures::failures, measured)
			.tags(tags)
			.register(registry);
		counter("leaf.segment.given.back", "IDs returned to the table when the generator was closed",
				(measures) -> measures.numbers().givenBack(), measured)
			.baseUnit("ids")
			.tags(tags)
			.register(registry);
		counter("leaf.segment.lost", "IDs that were fetched and discarded, neither issued nor given back",
				(measures) -> measures.numbers().lost(), measured)
			.baseUnit("ids")
			.tags(tags)
			.register(registry);
	}

	private static FunctionCounter.Builder<MeasuredKeys> counter(String name, String description,
			ToLongFunction<Measures> count, MeasuredKeys measured) {
		return FunctionCounter.builder(name, measured, (keys) -> count.applyAsLong(keys.measures()))
			.description(description);
	}

}
