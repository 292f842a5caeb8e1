// SPDX-License-Identifier: Apache-2.0

package io.leaf.snowflake.lease;

import java.util.Objects;

/**
 * Leases whose version is the same for the same content, so that tests can compare them.
 */
public final class TestLeases {

	private TestLeases() {
	}

	/**
	 * Returns a lease.
	 */
	public static Lease lease(String owner, long horizon, String host, long since, long reported) {
		long hash = Objects.hash(owner, horizon, host, since, reported);
		long version = Math.floorMod(hash * 0x9e3779b97f4a7c15L, Lease.MAX_VERSION);
		return new Lease(owner, horizon, host, since, reported, version);
	}

}
