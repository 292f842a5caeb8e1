// SPDX-License-Identifier: Apache-2.0

package io.leaf.simulation;

import java.util.function.Function;

/**
 * The kinds of worlds.
 */
enum WorldKind {

	/** Processes that share worker IDs. */
	LEASES(LeaseWorld::new),

	/** Processes that share rows. */
	SEGMENTS(SegmentWorld::new);

	private final Function<World, SharedStoreWorld<?>> creation;

	WorldKind(Function<World, SharedStoreWorld<?>> creation) {
		this.creation = creation;
	}

	SharedStoreWorld<?> create(World world) {
		return this.creation.apply(world);
	}

}
