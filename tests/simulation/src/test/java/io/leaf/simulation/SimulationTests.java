// SPDX-License-Identifier: Apache-2.0

package io.leaf.simulation;

import java.util.EnumSet;
import java.util.Set;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Plays many schedules with all kinds of faults, and checks that no guarantee is broken.
 */
class SimulationTests {

	private static final long SCHEDULES = Long.getLong("leaf.simulation.schedules",
			Boolean.getBoolean("leaf.test.full") ? 80_000 : 8_000);

	private static final long SCHEDULES_OF_SERVERS = Math.max(100, SCHEDULES / 80);

	private static final long FIRST_SEED = Long.getLong("leaf.simulation.first-seed", 0);

	private static final Set<WorldKind> REPLAYED = EnumSet
		.complementOf(EnumSet.of(WorldKind.PERIODS, WorldKind.PERIODS_OF_SERVERS));

	private static final Set<Fault> COMMON_FAULTS = EnumSet.of(Fault.CRASH, Fault.STOP, Fault.PAUSE,
			Fault.THREAD_HELD_UP, Fault.CLOCK_RATE, Fault.STORE_DOWN, Fault.LINK_CUT, Fault.REQUEST_LOST,
			Fault.ANSWER_LOST, Fault.WRITE_DELAYED);

	private static final Set<Fault> LEASE_FAULTS = EnumSet.of(Fault.CLOCK_STEP, Fault.DISK_FULL, Fault.STATE_FILE_LOST,
			Fault.STATE_FILE_COPIED, Fault.STATE_FILE_OF_ANOTHER_STORE, Fault.PROCESS_COPIED, Fault.START_WITHOUT_STORE,
			Fault.SAME_ADDRESS, Fault.WRITE_REPEATED, Fault.UNANSWERED_WRITE_LOST, Fault.STORE_WENT_BACK,
			Fault.LEASE_RECORD_DELETED);

	private static final Set<Fault> SEGMENT_FAULTS = EnumSet.of(Fault.FAILOVER, Fault.STEP_EDITED, Fault.ROW_REMOVED,
			Fault.MEITUAN_LEAF);

	private static final Set<Fault> SERVER_FAULTS = EnumSet.of(Fault.SERVER_CRASH, Fault.SERVER_STOP,
			Fault.SERVER_PAUSE, Fault.SERVER_LINK_CUT, Fault.WRITE_REPEATED);

	private static final Set<Fault> PERIOD_FAULTS = EnumSet.of(Fault.CLOCK_STEP, Fault.FAILOVER, Fault.STEP_EDITED,
			Fault.ROW_REMOVED);

	/**
	 * The number of schedules with keys that have periods, each of which covers ten
	 * years.
	 */
	private static final long DECADES = Long.getLong("leaf.simulation.decades",
			Boolean.getBoolean("leaf.test.full") ? 20 : 2);

	/**
	 * The number of schedules with keys that have periods in which some processes are
	 * clients of Leaf servers. Each of them covers four months.
	 */
	private static final long MONTHS_OF_SERVERS = Math.max(1, DECADES / 5);

	@Test
	void snowflakeIdsKeepAllGuarantees() {
		play(WorldKind.LEASES, SCHEDULES * 2 / 5, 100, LEASE_FAULTS);
	}

	@Test
	void numbersFromSegmentsKeepAllGuarantees() {
		play(WorldKind.SEGMENTS, SCHEDULES * 2 / 5, 100, SEGMENT_FAULTS);
	}

	@Test
	void periodsKeepAllGuaranteesForTenYears() {
		play(WorldKind.PERIODS, DECADES, 100_000, PERIOD_FAULTS);
	}

	@Test
	void snowflakeIdsOfClientsOfServersKeepAllGuarantees() {
		play(WorldKind.LEASES_OF_SERVERS, SCHEDULES_OF_SERVERS, 100, LEASE_FAULTS, SERVER_FAULTS);
	}

	@Test
	void numbersFromServersKeepAllGuarantees() {
		play(WorldKind.SEGMENTS_OF_SERVERS, SCHEDULES_OF_SERVERS, 100, SEGMENT_FAULTS, SERVER_FAULTS);
	}

	@Test
	void periodsOfClientsOfServersKeepAllGuarantees() {
		play(WorldKind.PERIODS_OF_SERVERS, MONTHS_OF_SERVERS, 10_000, PERIOD_FAULTS, SERVER_FAULTS);
	}

	@SafeVarargs
	private static void play(WorldKind kind, long count, long idsPerSchedule, Set<Fault>... ownFaults) {
		long start = System.nanoTime();
		Schedules schedules = Schedules.play(kind, FIRST_SEED, count, Runtime.getRuntime().availableProcessors());
		System.out.printf("%s: %s; %d s%n", kind, schedules, (System.nanoTime() - start) / 1_000_000_000);
		assertThat(schedules.failure()).isNull();
		assertThat(schedules.played()).isEqualTo(count);
		// a fault that did not happen was not tested
		assertThat(schedules.faults().keySet()).containsAll(COMMON_FAULTS);
		for (Set<Fault> faults : ownFaults) {
			assertThat(schedules.faults().keySet()).containsAll(faults);
		}
		assertThat(schedules.ids()).isGreaterThan(count * idsPerSchedule);
	}

	@Test
	void scheduleIsReplayedExactly() {
		for (long seed = 0; seed < 50; seed++) {
			for (WorldKind kind : REPLAYED) {
				assertThat(Schedules.trace(kind, seed)).isEqualTo(Schedules.trace(kind, seed));
			}
		}
	}

}
