// SPDX-License-Identifier: Apache-2.0

package io.leaf.snowflake.lease;

import java.util.Objects;
import java.util.Set;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Leases whose version is the same for the same content, so that tests can compare them.
 */
public final class TestLeases {

	/**
	 * The time at which the leases of {@link #held} and {@link #claimNew} begin.
	 */
	public static final long NOW = 1_795_000_000_000L;

	private TestLeases() {
	}

	public static Lease lease(String owner, long horizon, String host, long since, long reported) {
		long hash = Objects.hash(owner, horizon, host, since, reported);
		long version = Math.floorMod(hash * 0x9e3779b97f4a7c15L, Lease.MAX_VERSION);
		return new Lease(owner, horizon, host, since, reported, version);
	}

	/**
	 * Returns a lease of a process at 10.0.0.1:8080.
	 */
	public static Lease held(String owner, long horizon) {
		return lease(owner, horizon, "10.0.0.1:8080", NOW, NOW);
	}

	/**
	 * Claims a new worker ID for the owner {@code a}.
	 */
	public static long claimNew(WorkerLeaseStore store) {
		long workerId = store.newWorkerId(Set.of()).orElseThrow();
		assertThat(store.write(workerId, WorkerLeaseStore.ABSENT, held("a", NOW + 10))).isTrue();
		return workerId;
	}

}
