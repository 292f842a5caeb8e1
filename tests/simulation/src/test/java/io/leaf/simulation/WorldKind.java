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
	SEGMENTS(SegmentWorld::new),

	/** Processes that share rows of keys with periods, over ten years. */
	PERIODS(PeriodWorld::new);

	private final Function<World, SharedStoreWorld<?>> creation;

	WorldKind(Function<World, SharedStoreWorld<?>> creation) {
		this.creation = creation;
	}

	SharedStoreWorld<?> create(World world) {
		return this.creation.apply(world);
	}

}
