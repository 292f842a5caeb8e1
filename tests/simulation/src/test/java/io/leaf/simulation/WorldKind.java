// SPDX-License-Identifier: Apache-2.0

package io.leaf.simulation;

import java.util.function.Function;

/**
 * The kinds of simulated worlds.
 */
enum WorldKind {

	/** Processes that share worker IDs. */
	LEASES((world) -> new LeaseWorld(world, false)),

	/** Processes that share rows. */
	SEGMENTS((world) -> new SegmentWorld(world, false)),

	/** Processes that share rows of keys with periods, over ten years. */
	PERIODS((world) -> new PeriodWorld(world, false)),

	/** Processes that share worker IDs, some as clients of Leaf servers. */
	LEASES_OF_SERVERS((world) -> new LeaseWorld(world, true)),

	/** Processes that share rows, some as clients of Leaf servers. */
	SEGMENTS_OF_SERVERS((world) -> new SegmentWorld(world, true)),

	/**
	 * Processes that share rows of keys with periods, some as clients of Leaf servers,
	 * for four months.
	 */
	PERIODS_OF_SERVERS((world) -> new PeriodWorld(world, true));

	private final Function<World, SharedStoreWorld<?>> creation;

	WorldKind(Function<World, SharedStoreWorld<?>> creation) {
		this.creation = creation;
	}

	SharedStoreWorld<?> create(World world) {
		return this.creation.apply(world);
	}

}
