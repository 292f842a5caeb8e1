// SPDX-License-Identifier: Apache-2.0

package io.leaf.actuate;

import io.leaf.segment.SegmentStore;
import io.leaf.snowflake.lease.WorkerLeaseStore;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;

/**
 * Lets what is asked of the stores be observed: each fetch of a segment as
 * {@value #FETCH}, each write of a lease as {@value #LEASE}.
 * <p>
 * Neither has a parent. A fetch serves thousands of callers; the one whose call happened
 * to bring it about has no more to do with it than the others, and should not find it in
 * its trace.
 */
public final class StoreObservations {

	/**
	 * The name of the observation of a fetch. Its key values are {@code mode} and
	 * {@code key}, the latter bounded as in the meters.
	 */
	public static final String FETCH = "leaf.segment.fetch";

	/**
	 * The name of the observation of a lease's write. Its key values are {@code mode},
	 * {@code source} and {@code operation}, which is {@code claim}, {@code renew} or
	 * {@code release}.
	 */
	public static final String LEASE = "leaf.snowflake.lease";

	private final ObservationRegistry registry;

	private final MeteredKeys keys;

	/**
	 * Creates observations.
	 * @param registry who observes
	 * @param keys which keys are told apart
	 */
	public StoreObservations(ObservationRegistry registry, MeteredKeys keys) {
		this.registry = registry;
		this.keys = keys;
	}

	/**
	 * Lets the fetches of a store be observed.
	 * @param store the store
	 * @return one that does the same, and is observed; the store itself where nobody
	 * observes
	 */
	public SegmentStore observe(SegmentStore store) {
		return this.registry.isNoop() ? store : new ObservedSegmentStore(store, this);
	}

	/**
	 * Lets the writes of a store of leases be observed.
	 * @param store the store
	 * @return one that does the same, and is observed; the store itself where nobody
	 * observes
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
