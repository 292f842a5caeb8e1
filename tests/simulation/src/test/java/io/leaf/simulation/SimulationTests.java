// SPDX-License-Identifier: Apache-2.0

package io.leaf.simulation;

import java.util.EnumSet;
import java.util.Set;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Plays many schedules with faults of all kinds, none of which may violate a guarantee.
 */
class SimulationTests {

	private static final long SCHEDULES = Long.getLong("leaf.simulation.schedules",
			Boolean.getBoolean("leaf.test.full") ? 200_000 : 8_000);

	private static final long FIRST_SEED = Long.getLong("leaf.simulation.first-seed", 0);

	private static final Set<Fault> EVERYWHERE = EnumSet.of(Fault.CRASH, Fault.STOP, Fault.PAUSE, Fault.THREAD_HELD_UP,
			Fault.CLOCK_RATE, Fault.STORE_DOWN, Fault.LINK_CUT, Fault.REQUEST_LOST, Fault.ANSWER_LOST,
			Fault.WRITE_DELAYED);

	private static final Set<Fault> OF_LEASES = EnumSet.of(Fault.CLOCK_STEP, Fault.DISK_FULL, Fault.STATE_FILE_LOST,
			Fault.STATE_FILE_COPIED, Fault.STATE_FILE_OF_ANOTHER_STORE, Fault.PROCESS_COPIED, Fault.START_WITHOUT_STORE,
			Fault.SAME_ADDRESS, Fault.WRITE_REPEATED, Fault.UNANSWERED_WRITE_LOST, Fault.STORE_WENT_BACK,
			Fault.LEASE_RECORD_DELETED);

	private static final Set<Fault> OF_SEGMENTS = EnumSet.of(Fault.FAILOVER, Fault.STEP_EDITED, Fault.ROW_REMOVED,
			Fault.DEPLOYED_LEAF);

	private static final Set<Fault> OF_PERIODS = EnumSet.of(Fault.CLOCK_STEP, Fault.FAILOVER, Fault.STEP_EDITED,
			Fault.ROW_REMOVED);

	/**
	 * How many schedules of ten years with keys that have periods.
	 */
	private static final long DECADES = Long.getLong("leaf.simulation.decades",
			Boolean.getBoolean("leaf.test.full") ? 20 : 2);

	@Test
	void snowflakeIdsKeepAllGuarantees() {
		play(WorldKind.LEASES, OF_LEASES);
	}

	@Test
	void numbersFromSegmentsKeepAllGuarantees() {
		play(WorldKind.SEGMENTS, OF_SEGMENTS);
	}

	@Test
	void periodsKeepAllGuaranteesForTenYears() {
		long start = System.nanoTime();
		Schedules schedules = Schedules.play(WorldKind.PERIODS, FIRST_SEED, DECADES,
				Runtime.getRuntime().availableProcessors());
		System.out.printf("%s: %s; %d s%n", WorldKind.PERIODS, schedules, (System.nanoTime() - start) / 1_000_000_000);
		assertThat(schedules.failure()).isNull();
		assertThat(schedules.played()).isEqualTo(DECADES);
		assertThat(schedules.faults().keySet()).containsAll(EVERYWHERE).containsAll(OF_PERIODS);
		assertThat(schedules.ids()).isGreaterThan(DECADES * 100_000);
	}

	private static void play(WorldKind kind, Set<Fault> ownFaults) {
		long start = System.nanoTime();
		Schedules schedules = Schedules.play(kind, FIRST_SEED, SCHEDULES / 2,
				Runtime.getRuntime().availableProcessors());
		System.out.printf("%s: %s; %d s%n", kind, schedules, (System.nanoTime() - start) / 1_000_000_000);
		assertThat(schedules.failure()).isNull();
		assertThat(schedules.played()).isEqualTo(SCHEDULES / 2);
		// a fault that did not happen was not tested
		assertThat(schedules.faults().keySet()).containsAll(EVERYWHERE).containsAll(ownFaults);
		assertThat(schedules.ids()).isGreaterThan(SCHEDULES * 50);
	}

	@Test
	void scheduleIsReplayedExactly() {
		for (long seed = 0; seed < 50; seed++) {
			assertThat(Schedules.trace(WorldKind.LEASES, seed)).isEqualTo(Schedules.trace(WorldKind.LEASES, seed));
			assertThat(Schedules.trace(WorldKind.SEGMENTS, seed)).isEqualTo(Schedules.trace(WorldKind.SEGMENTS, seed));
		}
	}

}
