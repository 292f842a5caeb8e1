// SPDX-License-Identifier: Apache-2.0

package io.leaf.actuate;

import io.leaf.segment.SegmentStore;
import io.leaf.snowflake.lease.WorkerLeaseStore;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;

/**
 * Observes each attempt to fetch a segment as {@value #FETCH}, and each write of a lease
 * as {@value #LEASE}.
 * <p>
 * The observations have no parent. A fetch serves thousands of calls, so it does not
 * belong in the trace of the call that happened to trigger it.
 */
public final class StoreObservations {

	/**
	 * The name of the observations of attempts to fetch a segment. Each observation has
	 * the low-cardinality key values {@code mode} and {@code key}. The value of {@code
	 * key} is the key of the segment. Keys beyond {@code leaf.metrics.max-keys} share the
	 * value {@value MeteredKeys#OTHERS}.
	 */
	public static final String FETCH = "leaf.segment.fetch";

	/**
	 * The name of the observations of writes of a lease. Each observation has the
	 * low-cardinality key values {@code mode}, {@code source} and {@code operation}. The
	 * operation is "claim", "renew" or "release".
	 */
	public static final String LEASE = "leaf.snowflake.lease";

	private final ObservationRegistry registry;

	private final MeteredKeys keys;

	/**
	 * Creates observations.
	 * @param registry the registry to observe with
	 * @param keys decides which keys are observed as {@value MeteredKeys#OTHERS}
	 */
	public StoreObservations(ObservationRegistry registry, MeteredKeys keys) {
		this.registry = registry;
		this.keys = keys;
	}

	/**
	 * Observes the fetches of a store.
	 * @param store the store
	 * @return an observed store that delegates to the given store, or the given store
	 * itself if the registry is a no-op
	 */
	public SegmentStore observe(SegmentStore store) {
		return this.registry.isNoop() ? store : new ObservedSegmentStore(store, this);
	}

	/**
	 * Observes the writes of a worker lease store.
	 * @param store the store
	 * @return an observed store that delegates to the given store, or the given store
	 * itself if the registry is a no-op
	 */
	public WorkerLeaseStore observe(WorkerLeaseStore store) {
		return this.registry.isNoop() ? store : new ObservedWorkerLeaseStore(store, this);
	}

	Observation fetch(String key, long size) {
		return root(FETCH).contextualName("leaf segment fetch")
			.lowCardinalityKeyValue("mode", "segment")
			.lowCardinalityKeyValue("key", this.keys.tagOf(key))
			.highCardinalityKeyValue("leaf.key", key)
			.highCardinalityKeyValue("leaf.step", String.valueOf(size));
	}

	Observation lease(String source, String operation, long workerId) {
		return root(LEASE).contextualName("leaf lease " + operation)
			.lowCardinalityKeyValue("mode", "snowflake")
			.lowCardinalityKeyValue("source", source)
			.lowCardinalityKeyValue("operation", operation)
			.highCardinalityKeyValue("leaf.worker.id", String.valueOf(workerId));
	}

	private Observation root(String name) {
		return Observation.createNotStarted(name, this.registry).parentObservation(null);
	}

}
